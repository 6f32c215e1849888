import { expect, test } from 'vitest'
import { letterNames, letterRules } from '../../../contract/instance/letters.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { mailServerForFile, type ReceivedMail } from '../../support/network/mail-server.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const mailServer = await mailServerForFile()
const service = await serviceForFile({ environment: { SMTP_URL: mailServer.url } })
const { api, admin } = service
const ofInstance = '/api/admin/letters/gallery_created/de'

let customers = 0
async function mailGallery(fields: Record<string, unknown>): Promise<ReceivedMail> {
  const to = `customer-${++customers}@example.com`
  await createEvent(api, { ...fields, customer_email: to, customer_name: 'Ana' })
  const find = () => mailServer.received.find(({ recipients }) => recipients.includes(to))
  await expect.poll(find).toBeDefined()
  return find() as ReceivedMail
}

test('the text of the instance replaces that of the catalog, in its language only, until it is reset', async () => {
  const text = {
    subject: '{event} ist da',
    text: 'Liebe {name},\nhier ist {event}.\n\n{link}\n\n{expiry}\n\n{signature}',
  }
  const changed = await admin.put(ofInstance, text)
  expect(changed.body).toMatchObject({ ...text, is_own: true, default: { subject: expect.stringContaining('Ihre') } })
  const event_name = 'A {link} <b>\n\n{greeting}'
  const german = await mailGallery({ language: 'de', event_name, expires_at: '2031-05-04' })
  // Variables in a value are not replaced, and its lines stay one.
  expect(german.subject).toBe('A {link} <b> {greeting} ist da')
  expect(german.text).toMatch(
    /^Liebe Ana,\nhier ist A \{link\} <b> \{greeting\}\.\n\nGalerie öffnen:\nhttp:\S+\n\nDie Galerie/,
  )
  expect(german.html).toContain('Liebe Ana,<br>hier ist A {link} &#60;b&#62;')
  expect((await mailGallery({ language: 'en' })).subject).toMatch(/^Your gallery is ready/)

  const reset = await admin.delete(ofInstance)
  expect(reset.body).toMatchObject({ is_own: false, subject: 'Ihre Galerie ist bereit: {event}' })
  expect((await mailGallery({ language: 'de' })).subject).toMatch(/^Ihre Galerie ist bereit/)
})

test('the text of an event is before that of the instance, and a copy of the event takes it over', async () => {
  const to = `customer-${++customers}@example.com`
  const event = await createEvent(api, { is_draft: true, customer_email: to, customer_name: 'Ana', language: 'en' })
  const path = `/api/admin/events/${event.id}/letters`
  const own = { subject: 'Only here', text: 'Look at {event}, {name}.\n\n{link}' }
  expect((await admin.put(`${path}/gallery_created/en`, own)).body).toMatchObject({ ...own, is_own: true })
  await admin.put('/api/admin/letters/gallery_created/en', { subject: 'Everywhere', text: '{link}' })
  const page = (await admin.get(`${path}/gallery_created/en/html`)).bytes.toString()
  expect(page).toContain('Look at Ana &#38; Ben, Ana.')
  expect(page).toContain(event.slug)

  const copy = (await admin.post(`/api/admin/events/${event.id}/duplicate`, {})).body
  const { letters } = (await admin.get(`/api/admin/events/${copy.id}/letters`)).body
  expect(letters).toHaveLength(2 * letterNames.filter((name) => letterRules[name].isOfEvents).length)
  expect(letters).toContainEqual(
    expect.objectContaining({ ...own, default: { subject: 'Everywhere', text: '{link}' } }),
  )

  await api.post(`/api/v1/events/${event.id}/publish`, {})
  await expect.poll(() => mailServer.received.some(({ subject }) => subject === 'Only here')).toBe(true)
  expect((await mailGallery({ language: 'en' })).subject).toBe('Everywhere')
  await admin.delete('/api/admin/letters/gallery_created/en')
  expectProblem(await admin.get(`${path}/account_invite/en/html`), 404, 'NOT_FOUND')
  await api.post(`/api/v1/events/${event.id}/archive`, {})
  expectProblem(await admin.put(`${path}/gallery_created/en`, own), 409, 'EVENT_ARCHIVED')
})

test('a wrong variable is 400 and named, and nothing is stored', async () => {
  const cases: Array<[string, string, 'subject' | 'text', RegExp]> = [
    ['{evnt}', '{link}', 'subject', /cannot contain \{evnt\}\. It can contain .*\{event\}/],
    ['{link}', '{link}', 'subject', /cannot contain \{link\}/],
    ['x', '{link}\n\nSee you, {guest}', 'text', /cannot contain \{guest\}/],
    ['x', '{link}\n\n{ event }', 'text', /cannot contain \{ event \}/],
    ['x', 'Open {link} now', 'text', /\{link\} must be a paragraph of its own/],
    ['x', 'No link', 'text', /must contain \{link\}/],
  ]
  for (const [subject, text, field, message] of cases) {
    const response = await admin.put(ofInstance, { subject, text })
    expectInvalidField(response, field)
    expect(JSON.stringify(response.body)).toMatch(message)
  }
  expectInvalidField(await admin.put(ofInstance, { subject: ' ', text: '{link}' }), 'subject')
  expectProblem(
    await admin.put('/api/admin/letters/gallery_created/fr', { subject: 'x', text: '{link}' }),
    404,
    'NOT_FOUND',
  )
  expect((await admin.get('/api/admin/letters')).body.letters.some(({ is_own }: { is_own: boolean }) => is_own)).toBe(
    false,
  )
})

test('the preview of each mail has no variable left', async () => {
  for (const letter of letterNames) {
    for (const language of ['en', 'de']) {
      const { bytes } = await admin.get(`/api/admin/letters/${letter}/${language}/html`)
      expect(bytes.toString(), letter).toContain(`<html lang="${language}">`)
      expect(bytes.toString().replace(/<style>.*?<\/style>/s, ''), letter).not.toMatch(/\{\w+\}/)
    }
  }
})
