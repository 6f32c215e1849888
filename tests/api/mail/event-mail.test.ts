import { describe, expect, test } from 'vitest'
import { seconds } from '../../../server/platform/time/clock.ts'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { requestWithHost } from '../../support/clients/request-with-host.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { mailServerForFile, type ReceivedMail } from '../../support/network/mail-server.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const mailServer = await mailServerForFile()
const clock = createMovableClock()
const service = await serviceForFile({
  environment: { SMTP_URL: mailServer.url, MAIL_FROM: 'photos@studio.example' },
  edges: { clock },
})
const { api, admin } = service

let customers = 0
const newCustomer = () => `customer-${++customers}@example.com`

const listMailsTo = (address: string): ReceivedMail[] =>
  mailServer.received.filter(({ recipients }) => recipients.includes(address))

async function waitForMailTo(address: string): Promise<ReceivedMail> {
  await expect.poll(() => listMailsTo(address).length).toBe(1)
  return listMailsTo(address)[0] as ReceivedMail
}

/** A mail to the address would arrive before the mail of this later operation. */
async function expectNoMailTo(address: string, count = 0): Promise<void> {
  const other = newCustomer()
  await createEvent(api, { customer_email: other })
  await waitForMailTo(other)
  expect(listMailsTo(address)).toHaveLength(count)
}

/** The mails about it wait for half a minute, then they are sent with the next mail. */
async function archive(...eventIds: number[]): Promise<void> {
  for (const id of eventIds) await api.post(`/api/v1/events/${id}/archive`, {})
  clock.advance(seconds(31))
  await createEvent(api, { customer_email: newCustomer() })
}

describe('an event with a customer_email', () => {
  test('created live is mailed with its link and password', async () => {
    const to = newCustomer()
    const event = await createEvent(api, {
      customer_email: to,
      customer_name: 'Ana Berg',
      require_password: true,
      password: 'tulips <&> "roses"',
      expires_at: '2031-05-04',
    })
    const mail = await waitForMailTo(to)
    expect(mail.recipients).toEqual([to])
    expect(mail.subject).toBe('Your gallery is ready: Ana & Ben')
    expect(mail.from).toMatchObject({ name: 'Proofroom', address: 'photos@studio.example' })
    expect(mail.text).toContain('Hello Ana Berg,')
    expect(mail.text).toContain(`\n${service.url}/gallery/${event.slug}/${event.share_token}\n`)
    expect(mail.text).toContain('Password: tulips <&> "roses"\n')
    expect(mail.text).toContain('The gallery is available until May 4, 2031.')
    expect(mail.html).toContain(`href="${service.url}/gallery/${event.slug}/${event.share_token}"`)
    expect(mail.html).toContain('>tulips &#60;&#38;&#62; &#34;roses&#34;</span>')
    expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    // The password is erased with the sending, and hidden in the outbox.
    const row = () =>
      readDatabase(service, (stored) =>
        stored.prepare('select status, credential from mails where event_id = ?').get(event.id),
      )
    await expect.poll(row).toEqual({ status: 'sent', credential: null })
    const [shown] = (await admin.get('/api/admin/mail/outbox')).body.mails
    expect(shown).toMatchObject({ to, text: expect.stringContaining('Password: ••••••\n') })
    expect(JSON.stringify(shown)).not.toContain('tulips')
  })

  test('with a language is mailed in it, and shows its gallery in it', async () => {
    const to = newCustomer()
    const event = await createEvent(api, { customer_email: to, language: 'de', expires_at: '2031-05-04' })
    expect((await api.get(`/api/v1/events/${event.id}`)).body.language).toBe('de')
    const mail = await waitForMailTo(to)
    expect(mail.subject).toMatch(/^Ihre Galerie ist bereit: /)
    expect(mail.text).toContain('Die Galerie ist bis zum 4. Mai 2031 verfügbar.')
    const showPage = async (headers: Record<string, string>) =>
      (await fetch(`${service.url}/gallery/${event.slug}/${event.share_token}`, { headers })).text()
    expect(await showPage({ 'accept-language': 'en' })).toContain('<html lang="de"')
    expect(await showPage({ cookie: 'language=en' })).toContain('<html lang="en"')
    const path = `/api/v1/events/${event.id}`
    expectInvalidField(await api.patch(path, { language: 'fr' }), 'language')
    expect((await api.patch(path, { language: null })).body.language).toBeNull()
  })

  test('created without a password is mailed without one', async () => {
    const to = newCustomer()
    await createEvent(api, { customer_email: to })
    const { text, html } = await waitForMailTo(to)
    for (const body of [text, html]) expect(body).not.toMatch(/password/i)
  })

  test('published from a draft is mailed then, without the password, but with a note about it', async () => {
    const to = newCustomer()
    const { id } = await createEvent(api, {
      customer_email: to,
      is_draft: true,
      require_password: true,
      password: 'tulips and roses',
    })
    await expectNoMailTo(to)
    await api.post(`/api/v1/events/${id}/publish`, {})
    const { text, html } = await waitForMailTo(to)
    for (const body of [text, html]) {
      expect(body).toContain('requires a password, which you will receive separately')
      expect(body).not.toContain('tulips and roses')
    }
  })

  test('is mailed once, even if published, archived and restored several times', async () => {
    const to = newCustomer()
    const { id } = await createEvent(api, { customer_email: to, is_draft: true })
    const verbs = ['publish', 'publish', 'publish', 'publish']
    const answers = await Promise.all(verbs.map((verb) => api.post(`/api/v1/events/${id}/${verb}`, {})))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    await waitForMailTo(to)
    for (const verb of ['archive', 'restore', 'publish']) await api.post(`/api/v1/events/${id}/${verb}`, {})
    await api.patch(`/api/v1/events/${id}`, { event_name: 'Other', send_email: true })
    // The restore has deleted the mail about the archiving.
    await expectNoMailTo(to, 1)
  })

  test('is not mailed with send_email: false, or if it has expired before it is published', async () => {
    const to = newCustomer()
    await createEvent(api, { customer_email: to, send_email: false })
    const silent = await createEvent(api, { customer_email: to, send_email: false, is_draft: true })
    const expired = await createEvent(api, { customer_email: to, is_draft: true })
    await changeDatabase(service, (stored) =>
      stored.prepare('update events set expires_at = 1000 where id = ?').run(expired.id),
    )
    for (const { id } of [silent, expired])
      expect((await api.post(`/api/v1/events/${id}/publish`, {})).status).toBe(200)
    await expectNoMailTo(to)
  })

  test('is mailed if send_email is set before it is published, also under its older name host_email', async () => {
    const to = newCustomer()
    const body = { host_email: to, host_name: 'Ben', send_email: false, is_draft: true }
    const { id } = await createEvent(api, body)
    await api.patch(`/api/v1/events/${id}`, { send_email: true })
    await api.post(`/api/v1/events/${id}/publish`, {})
    expect((await waitForMailTo(to)).text).toContain('Hello Ben,')
  })
})

test('an archived event is reported to its customer and its operator, once if they have the same address', async () => {
  const [customer, operator, both] = [newCustomer(), newCustomer(), newCustomer()]
  // Only the local part changes, because mail programs write the domain in lower case.
  const sameAddress = both.replace('customer', 'CUSTOMER')
  const names = { customer_name: 'Ana', send_email: false }
  const event = await createEvent(api, { ...names, customer_email: customer, admin_email: operator })
  const other = await createEvent(api, { ...names, customer_email: both, admin_email: sameAddress })
  await archive(event.id, other.id)
  const toCustomer = await waitForMailTo(customer)
  expect(toCustomer.subject).toBe('The gallery is closed: Ana & Ben')
  expect(toCustomer.text).toContain('Hello Ana,')
  expect(toCustomer.replyTo).toMatchObject([{ address: operator }])
  const toOperator = await waitForMailTo(operator)
  expect(toOperator.text).toMatch(/^Hello,\n\nThe event “Ana & Ben” has been archived/)
  expect(toOperator.replyTo).toBeUndefined()
  for (const { raw } of [toCustomer, toOperator]) expect(raw).not.toContain(event.share_token)
  await waitForMailTo(both)
  await expectNoMailTo(sameAddress)
})

test('in German the mail has German text with umlauts and the name of the studio', async () => {
  const settings = { general_default_language: 'de', branding_studio_name: 'Atelier Schön & Groß' }
  await admin.put('/api/admin/settings', settings)
  const to = newCustomer()
  const { id } = await createEvent(api, {
    ...{ customer_email: to, customer_name: 'Jürgen Müßig', event_name: 'Änne & Jürgen 💍', expires_at: '2031-05-04' },
    ...{ require_password: true, password: 'geheimer Öltanker' },
  })
  const mail = await waitForMailTo(to)
  expect(mail.subject).toBe('Ihre Galerie ist bereit: Änne & Jürgen 💍')
  expect(mail.from).toMatchObject({ name: 'Atelier Schön & Groß' })
  for (const line of [
    'Hallo Jürgen Müßig,',
    'Ihre Galerie „Änne & Jürgen 💍“ ist bereit.',
    'Passwort: geheimer Öltanker',
    'Die Galerie ist bis zum 4. Mai 2031 verfügbar.',
    'Herzliche Grüße\nAtelier Schön & Groß',
  ]) {
    expect(mail.text).toContain(line)
  }
  expect(mail.html).toContain('<html lang="de">')
  expect(mail.html).toContain('Herzliche Grüße<br>Atelier Schön &#38; Groß')
  await archive(id)
  await expect
    .poll(() => listMailsTo(to).map(({ subject }) => subject))
    .toContain('Die Galerie ist geschlossen: Änne & Jürgen 💍')
  await admin.put('/api/admin/settings', { general_default_language: 'en', branding_studio_name: '' })
})

test('a hostile name adds no header, no line and no markup', async () => {
  const hostile = 'Party\r\nBcc: victim@example.com\r\n\r\nPassword: stolen\u001a\u202e<img src=x onerror=alert(1)>'
  const to = newCustomer()
  await createEvent(api, {
    customer_email: to,
    event_name: hostile,
    customer_name: '</p><script>\nBcc: c@example.com',
    require_password: true,
    password: 'the only credential',
  })
  const mail = await waitForMailTo(to)
  expect(mail.recipients).toEqual([to])
  expect(mail.bcc).toBeUndefined()
  const [headers] = mail.raw.split('\r\n\r\n')
  expect(headers).not.toMatch(/^bcc/im)
  const toShownText = 'Party Bcc: victim@example.com Password: stolen <img src=x onerror=alert(1)>'
  expect(mail.subject).toBe(`Your gallery is ready: ${toShownText}`)
  expect(mail.text).toContain(`Your gallery “${toShownText}” is ready`)
  expect(mail.text?.match(/^Password: .*$/gm)).toEqual(['Password: the only credential'])
  expect(mail.text?.match(/the only credential/g)).toHaveLength(1)
  expect(mail.html?.match(/<(img|script)/g)).toBeNull()
  expect(mail.html).toContain('&#60;img src=x onerror=alert(1)&#62;')
})

test('links use the origin of the last super_admin sign-in, never the Host of another request', async () => {
  const to = newCustomer()
  const body = { event_type: 'wedding', event_name: 'Ana', require_password: false, customer_email: to }
  expect(await requestWithHost(service.url, 'evil.example', 'POST', '/api/v1/events', body, api.token)).toBe(201)
  const { text } = await waitForMailTo(to)
  expect(text).toContain(`${service.url}/gallery/`)
  expect(text).not.toContain('evil.example')
})

test('a deleted event deletes its mails', async () => {
  const to = newCustomer()
  const { id } = await createEvent(api, { customer_email: to })
  await waitForMailTo(to)
  await api.delete(`/api/v1/events/${id}`)
  const mails = readDatabase(service, (stored) => stored.prepare('select id from mails where event_id = ?').all(id))
  expect(mails).toEqual([])
})
