import { beforeEach, expect, test } from 'vitest'
import { eraseGuest } from '../../../server/feedback/guests/erase-guest.ts'
import { sendNotices } from '../../../server/feedback/notices/send-notices.ts'
import { hours, minutes } from '../../../server/platform/time/clock.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { createMarkableGallery } from '../../support/fixtures/marks.ts'
import { mailServerForFile } from '../../support/network/mail-server.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const mailServer = await mailServerForFile()
const clock = createMovableClock()
const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'photos@studio.example' }
const service = await serviceForFile({ environment, edges: { clock } })
const { admin, api, url } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let file = 0
let studio = ''
let guest = ''
let others = 0
beforeEach(async () => {
  file++
  studio = `studio-${file}@example.com`
  guest = `ana-${file}@example.com`
  await openEvent()
})

async function openEvent(body = {}) {
  const rules = { allow_notes: true, allow_annotations: true, admin_email: studio, language: 'de', ...body }
  const opened = await createMarkableGallery(service, rules)
  ;({ event, ids } = opened)
  ana = opened.guests[0]
  await ana.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana', email: guest })
}

const mailsTo = (address: string) => mailServer.received.filter(({ recipients }) => recipients.includes(address))
/** Runs the job when `ms` have passed, and returns all mails to the address. */
async function mailsAfter(ms: number, address: string, count: number) {
  clock.advance(ms)
  await withAppContext(service, (ctx) => sendNotices({ ...ctx, clock }), environment)
  // Mails that are due are sent with this later one.
  const other = `other-${++others}@example.com`
  await createEvent(api, { customer_email: other })
  await expect.poll(() => mailsTo(other).length).toBe(1)
  await expect.poll(() => mailsTo(address).length).toBe(count)
  return mailsTo(address)
}
const box = { kind: 'box', x: 1, y: 1, w: 9, h: 9, text: 'Please remove the sign' }
const cookieOf = ({ token }: TestClient) => ({ cookie: `gallery_${event.id}=${token}` })
const ask = async () => (await ana.post(`/api/gallery/${event.slug}/photos/${ids[0]}/threads`, box)).body.id as number
const reply = (id: number, text: string) => api.post(`/api/v1/events/${event.id}/threads/${id}/messages`, { text })
/** The link after the label. */
const linkIn = (text = '', label = 'Unsubscribe') =>
  new URL(new RegExp(`${label}:\\s+(http\\S+/mails/\\S+)`).exec(text)?.[1] ?? 'http://none')

test('operators get a mail with the picture, then at most one an hour, and none after they unsubscribe', {
  tags: 'storage',
}, async () => {
  await ask()
  await ana.post(`/api/gallery/${event.slug}/notes`, { text: 'Thank you for all' })
  const [mail] = await mailsAfter(minutes(1), studio, 1)
  expect(mail?.subject).toBe('New requests: Ana & Ben')
  expect(mail?.text).toContain('Ana: Please remove the sign')
  expect(mail?.text).toContain('Ana: Thank you for all')
  expect(mail?.text).toContain(`${url}/admin/events/${event.id}/todo`)
  expect(mail?.html).toContain(`src="cid:photo-${ids[0]}@proofroom"`)
  expect(mail?.html).toContain(`href="${url}/admin/events/${event.id}/todo?photo=${ids[0]}"`)
  expect(mail?.text).toMatch(/sign\n\nEntire gallery\n\nAna: Thank you for all/)
  const [picture] = mail?.attachments ?? []
  expect(picture).toMatchObject({
    mimeType: 'image/jpeg',
    contentId: `<photo-${ids[0]}@proofroom>`,
    disposition: 'inline',
  })
  await ask()
  await mailsAfter(minutes(5), studio, 1)
  const [, second] = await mailsAfter(hours(1), studio, 2)
  expect(second?.text).not.toContain('Thank you for all')

  const link = linkIn(second?.text)
  const page = await fetch(link)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Unsubscribe')])
  expect((await fetch(link, { method: 'POST', body: new URLSearchParams() })).status).toBe(200)
  await ask()
  await mailsAfter(hours(2), studio, 2)
  await fetch(link, { method: 'POST', body: new URLSearchParams({ again: '1' }) })
  await ask()
  await mailsAfter(hours(2), studio, 3)
})

test('a guest gets one mail that asks to confirm the address, in the language of the event, and further ones after that', async () => {
  const id = await ask()
  await reply(id, 'Das Schild ist weg')
  const [mail] = await mailsAfter(minutes(1), guest, 1)
  expect(mail?.subject).toBe('Es gibt eine Antwort für Sie: Ana & Ben')
  expect(mail?.text).toContain('Hallo,')
  expect(mail?.text).not.toMatch(new RegExp(`Please remove the sign|${event.share_token}`))
  expect(mail?.text).toMatch(/photo-1.jpg: http\S+\/mails\//)
  expect(mail?.text).toContain('Das Schild ist weg')
  await reply(id, 'Noch etwas?')
  await mailsAfter(hours(2), guest, 1)

  const link = linkIn(mail?.text, 'Ja, E-Mails senden')
  expect(await (await fetch(link)).text()).toContain('Ja, E-Mails senden')
  const done = await (await fetch(link, { method: 'POST', body: new URLSearchParams() })).text()
  expect(done).toContain('Erledigt')
  const [back] = /\/mails\/[^"]+/.exec(done) ?? []
  const { headers } = await fetch(new URL(back ?? '', url), { headers: cookieOf(ana), redirect: 'manual' })
  expect(headers.get('location')).toBe(`/gallery/${event.slug}`)
  await reply(id, 'Und jetzt?')
  const [, further] = await mailsAfter(hours(2), guest, 2)
  expect(further?.text).toContain('Und jetzt?')
  expect(further?.text).toContain('Abmelden: ')
})

test('the link of a guest leads browsers with a session into the gallery, and tells others to use the share link', async () => {
  await reply(await ask(), 'Das Schild ist weg')
  const [mail] = await mailsAfter(minutes(1), guest, 1)
  const link = linkIn(mail?.text, 'Galerie öffnen')
  const follow = async (init: RequestInit = {}) => {
    const response = await fetch(link, { redirect: 'manual', ...init })
    return [response.status, response.headers.get('location') ?? (await response.text())]
  }
  const way = [302, `/gallery/${event.slug}?photo=${ids[0]}`]
  const session = cookieOf(ana)
  expect(await follow({ headers: session })).toEqual(way)
  const closed = [200, expect.stringMatching(/Galerie „Ana &#38; Ben“ öffnet sich über den Link/)]
  expect(await follow()).toEqual(closed)
  expect(await follow({ method: 'POST', body: new URLSearchParams() })).toEqual([404, expect.anything()])

  // A guest who is locked out gets no new link.
  await admin.post(`/api/admin/events/${event.id}/renew-link`, undefined)
  expect(await follow({ headers: session })).toEqual(closed)
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: true })
  expect(await follow()).toEqual(way)
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: false })
  await api.patch(`/api/v1/events/${event.id}`, { require_password: true, password: 'Long enough 1' })
  expect(await follow()).toEqual(way)

  await admin.post(`/api/admin/events/${event.id}/archive`, {})
  expect(await follow({ headers: session })).toEqual([404, expect.not.stringContaining('Ana')])
})

test('the address of the customer needs no confirmation, and neither a hidden photo nor one before the reveal tells anything', async () => {
  await openEvent({ customer_email: guest.toUpperCase(), customer_name: 'Ana' })
  const id = await ask()
  await api.patch(`/api/v1/events/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
  await reply(id, 'Hidden words')
  const before = mailsTo(guest).length
  await mailsAfter(minutes(2), guest, before)
  await api.patch(`/api/v1/events/${event.id}/photos/${ids[0]}`, { visibility: 'visible' })
  await reply(id, 'Shown words')
  const mails = await mailsAfter(hours(2), guest, before + 1)
  expect(mails.at(-1)?.text).toMatch(/Shown words[\s\S]*Abmelden/)
  expect(mails.at(-1)?.text).toContain(`${event.share_url}?photo=${ids[0]}\n`)
  await reply(id, 'Early words')
  await api.patch(`/api/v1/events/${event.id}`, { reveal_at: '2040-01-01T10:00:00.000Z' })
  await mailsAfter(hours(2), guest, before + 1)
})

test('a link that this instance has not made is not found; erasing a guest deletes the mails', async () => {
  const { status } = await createClient(url).get('/mails/abc.def')
  expect(status).toBe(404)
  const id = await ask()
  await reply(id, 'Zyxwort')
  await mailsAfter(minutes(1), guest, 1)
  const guestId = (await ana.get(`/api/gallery/${event.slug}/session`)).body.guest.id
  await withAppContext(service, (ctx) => eraseGuest(ctx, event.id, guestId))
  const left = readDatabase(service, (stored) =>
    ['mails', 'thread_notices'].map((table) =>
      stored
        .prepare(
          `select count(*) from ${table} where event_id = ? and ${table === 'mails' ? `kind like 'thread%'` : `guest_id <> ''`}`,
        )
        .pluck()
        .get(event.id),
    ),
  )
  expect(left.map(Number)).toEqual([0, 0])
})
