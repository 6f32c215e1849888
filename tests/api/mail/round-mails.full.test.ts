import { beforeEach, expect, test } from 'vitest'
import { eraseGuest } from '../../../server/feedback/guests/erase-guest.ts'
import { hours } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { mailServerForFile } from '../../support/network/mail-server.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'
import { createTestWebhook } from '../../support/webhooks/webhooks.ts'

const mailServer = await mailServerForFile()
const clock = createMovableClock()
const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'photos@studio.example' }
const service = await serviceForFile({ environment, edges: { clock } })
const { api, url } = service
await createTestWebhook(service)

let event: TestEvent
let ids: number[]
let ana: TestClient
let file = 0
let studio = ''
let customer = ''
let name = ''
beforeEach(async () => {
  file++
  studio = `studio-${file}@example.com`
  customer = `ana-${file}@example.com`
  event = await createEvent(api, {
    admin_email: studio,
    language: 'de',
    guest_session_days: 30,
    customer_email: customer.toUpperCase(),
    customer_name: 'Frau Berg',
  })
  ids = await uploadPhotos(api, event.id, 4)
  await api.put(ofEvent('/package'), { purpose: 'Album', included: 1, maximum: 3, extra_text: '12 €' })
  name = `Zyxana${file}`
  ana = await enter(name, customer)
})

async function enter(name: string, email?: string) {
  const guest = await enterAsGuest(service, event)
  await guest.post(gallery('/guest'), { name, ...(email && { email }) })
  return guest
}

const gallery = (path: string) => `/api/gallery/${event.slug}${path}`
const ofEvent = (path: string) => `/api/v1/events/${event.id}${path}`
const favor = (photo: number, set = true, guest = ana) =>
  guest.post(gallery(`/photos/${ids[photo]}/feedback`), { feedback_type: 'favorite', set })
const submit = (note: string | null = null, guest = ana) => guest.post(gallery('/selection'), { note })
const currentRound = async () => (await api.get(ofEvent('/rounds?current=true'))).body.rounds[0]
const remind = async () => api.post(ofEvent(`/rounds/${(await currentRound()).id}/remind`), {})

let others = 0
/** Returns all mails to the address. Mails that are due are sent before a later one to somebody else. */
async function mailsTo(address: string) {
  const other = `other-${++others}@example.com`
  await createEvent(api, { customer_email: other })
  const find = (recipient: string) => mailServer.received.filter(({ recipients }) => recipients.includes(recipient))
  await expect.poll(() => find(other).length).toBe(1)
  return find(address)
}
/** The customer gets the link of the gallery too. */
const mailsToCustomer = async () =>
  (await mailsTo(customer.toUpperCase()))
    .concat(await mailsTo(customer))
    .filter(({ text }) => text?.includes('Abmelden'))

test('both sides get what was sent, the difference and the receipt', { tags: 'storage' }, async () => {
  await favor(0)
  await favor(1)
  await submit('Zyxnote')
  const [first] = await mailsTo(studio)
  expect(first?.text).toContain('Album, round 1: 2 photos, 1 extra × 12 €')
  expect(first?.text).toContain('Message: Zyxnote')
  expect(first?.text).not.toContain('Compared with')
  const { id: selectionId } = (await api.get(ofEvent('/selections'))).body.selections[0]
  expect(first?.text).toContain(`${url}/api/admin/events/${event.id}/selections/${selectionId}/receipt`)
  const [sent] = await mailsToCustomer()
  expect(sent?.subject).toBe('Ihre Auswahl ist angekommen: Ana & Ben')
  expect(sent?.text).toContain('Hallo Frau Berg,')
  expect(sent?.text).toContain('Album, Runde 1: 2 Fotos, 1 extra × 12 €')
  // Guests choose the names of their uploads.
  expect(sent?.text).not.toContain('photo-1.jpg')
  expect(sent?.text).toMatch(/\/mails\/\S+\/receipt\n/)
  // Whoever types the address of the customer chooses no word of the mail.
  expect(sent?.text).not.toMatch(/zyx(ana|note)/i)

  const { id } = await currentRound()
  await api.post(ofEvent(`/rounds/${id}/reopen`), { message: 'Bitte nur eines', maximum: 1, due_on: '2031-07-10' })
  const [, reopened] = await mailsToCustomer()
  expect(reopened?.subject).toBe('Sie können Ihre Auswahl ändern: Ana & Ben')
  expect(reopened?.text).toContain('Nachricht: Bitte nur eines')
  expect(reopened?.text).toMatch(/1 Foto ist inklusive\nHöchstens: 1\nJedes zusätzliche Foto: 12 €\n.*10. Juli 2031/)
  expect(reopened?.text).toContain(`${event.share_token}\n`)

  await favor(0, false)
  await favor(1, false)
  await favor(2)
  await submit()
  const second = (await mailsTo(studio)).at(-1)
  expect(second?.text).toContain('Album, round 2: 1 photo\n')
  expect(second?.text).toMatch(
    /Compared with selection 1: 1 added, 2 removed, 0 with other marks.\nAdded: photo-3.jpg\nRemoved: photo-1.jpg, photo-2.jpg/,
  )
})

test('an address that was only typed gets one mail, by an operator, that asks to confirm it', async () => {
  const typed = `ben-${file}@example.com`
  const ben = await enter('Ben', typed)
  await favor(0, true, ben)
  await submit(null, ben)
  expect(await mailsTo(typed)).toEqual([])
  const round = await currentRound()
  expect(round).toMatchObject({ mail: 'asks', can_be_reminded: false })
  await api.post(ofEvent(`/rounds/${round.id}/reopen`), { message: 'Again' })
  const [asking, ...more] = await mailsTo(typed)
  expect([asking?.subject, more]).toEqual(['Sie können Ihre Auswahl ändern: Ana & Ben', []])
  expect(asking?.text).toContain('Hallo,')
  expect(asking?.text).toContain('Nachricht: Again')
  expect(asking?.text).not.toContain('Abmelden')
  expect(await currentRound()).toMatchObject({ mail: 'unconfirmed', can_be_reminded: false })
  expectProblem(await remind(), 409, 'INVALID_STATE')

  const confirm = linkIn(asking?.text, 'Ja, E-Mails senden')
  expect((await fetch(confirm, { method: 'POST', body: new URLSearchParams() })).status).toBe(200)
  expect(await currentRound()).toMatchObject({ mail: 'yes', can_be_reminded: true })
  expect((await remind()).status).toBe(200)
  const [, mail] = await mailsTo(typed)
  expect(mail?.text).toMatch(/Hallo Ben,[\s\S]*bisher 1 Foto ausgewählt[\s\S]*Abmelden/)
})

test('a reminder asks to confirm an address too, but not one that was asked for another guest', async () => {
  const typed = `Carl-${file}@example.com`
  const carl = await enter('Zyxcarl', typed)
  await favor(0, true, carl)
  expect(await currentRound()).toMatchObject({ mail: 'asks', can_be_reminded: true })
  expect((await remind()).status).toBe(200)
  const [mail] = await mailsTo(typed)
  expect(mail?.text).toMatch(/Hallo,[\s\S]*bisher 1 Foto ausgewählt[\s\S]*Ja, E-Mails senden/)
  expect(mail?.text).not.toMatch(/zyxcarl/i)
  const other = await enter('Other', typed.toLowerCase())
  await favor(1, true, other)
  expect(await currentRound()).toMatchObject({ mail: 'unconfirmed', can_be_reminded: false })
  expectProblem(await remind(), 409, 'INVALID_STATE')
  const last = await enter('No address')
  await favor(1, true, last)
  expect((await currentRound()).mail).toBe('no_address')
  await api.patch(ofEvent(''), { reveal_at: '2040-01-01T10:00:00.000Z' })
  expect((await currentRound()).mail).toBe('gallery_closed')
})

test('the receipt of a mail opens in any browser while the gallery is open, until its access changes', async () => {
  await favor(0)
  await submit()
  const [sent] = await mailsToCustomer()
  const link = linkIn(sent?.text, 'Beleg öffnen')
  const read = async (path = '') => {
    const { status, headers, bytes } = await createClient(url).get(link.pathname + path)
    expect(headers.getSetCookie()).toEqual([])
    return { status, text: bytes.toString() }
  }
  for (const query of ['', '?format=csv']) {
    const own = await ana.get(gallery(`/selections/1/receipt${query}`))
    expect(await read(query)).toEqual({ status: 200, text: own.bytes.toString() })
  }
  expect((await read(`/${ids[0]}.jpg`)).status).toBe(200)
  expect((await read(`/${ids[1]}.jpg`)).status).toBe(404)
  await api.patch(ofEvent(`/photos/${ids[0]}`), { visibility: 'hidden' })
  expect((await read(`/${ids[0]}.jpg`)).status).toBe(404)
  await api.patch(ofEvent(`/photos/${ids[0]}`), { visibility: 'visible' })
  // The token leads nowhere else.
  expect((await createClient(url).get(link.pathname.replace(/\/receipt$/, ''))).status).toBe(404)

  const isGone = async () => {
    const { status, text } = await read()
    expect([status, (await read(`/${ids[0]}.jpg`)).status]).toEqual([404, 404])
    expect(text).toMatch(/<h1>This link no longer works/)
    expect(text).not.toContain('Album')
  }
  await api.patch(ofEvent(''), { reveal_at: '2040-01-01T10:00:00.000Z' })
  await isGone()
  await api.patch(ofEvent(''), { reveal_at: null, require_password: true, password: 'Long enough 1' })
  await isGone()
})

const linkIn = (text = '', label = 'Abmelden') =>
  new URL(new RegExp(`${label}:\\s+(http\\S+/mails/\\S+)`).exec(text)?.[1] ?? 'http://none')

test('a reminder goes out at most once a day, while the guest can send picks, until the guest unsubscribes', async () => {
  await favor(0)
  const { status, body } = await remind()
  expect([status, body.reminded_at]).toEqual([200, expect.any(String)])
  expectProblem(await remind(), 409, 'INVALID_STATE')
  const [mail] = await mailsToCustomer()
  expect(mail?.subject).toBe('Ihre Auswahl ist noch nicht gesendet: Ana & Ben')

  clock.advance(hours(25))
  await api.patch(ofEvent(''), { reveal_at: '2040-01-01T10:00:00.000Z' })
  expectProblem(await remind(), 409, 'INVALID_STATE')
  await api.patch(ofEvent(''), { reveal_at: null })
  expect((await remind()).status).toBe(200)
  expect(await mailsToCustomer()).toHaveLength(2)

  const link = new URL(/http\S+\/mails\/\S+/.exec(mail?.text ?? '')?.[0] ?? 'http://none')
  expect((await fetch(link, { method: 'POST', body: new URLSearchParams() })).status).toBe(200)
  clock.advance(hours(25))
  expectProblem(await remind(), 409, 'INVALID_STATE')
  expect((await currentRound()).can_be_reminded).toBe(false)
  await submit()
  // Another guest with the address gets nothing either.
  const another = await enter('Stranger', customer)
  await favor(1, true, another)
  await submit(null, another)
  expect(await mailsToCustomer()).toHaveLength(2)
  await fetch(link, { method: 'POST', body: new URLSearchParams({ again: '1' }) })
  expectProblem(await remind(), 409, 'INVALID_STATE')
  await api.post(ofEvent('/archive'), {})
  expectProblem(await remind(), 409, 'EVENT_ARCHIVED')
})

test('the operator hears at most once an hour that a guest wants to change the picks', async () => {
  await favor(0)
  await submit()
  const ask = (message: string) => ana.post(gallery('/round/reopening'), { message })
  const asked = async () => (await mailsTo(studio)).filter(({ subject }) => subject?.includes('wants to change'))
  await ask('Zyx early')
  await ask('Zyx again')
  const [mail, ...more] = await asked()
  expect([mail?.subject, more]).toEqual([`${name} wants to change the picks: Ana & Ben`, []])
  expect(mail?.text).toContain('Message: Zyx early')
  expect(mail?.text).toContain(`${url}/admin/events/${event.id}/picks`)
  clock.advance(hours(1) + 1)
  await ask('Zyx later')
  expect(await asked()).toHaveLength(2)
})

test('nothing of an erased guest is left in mails, rows and deliveries', { tags: 'database' }, async () => {
  await favor(0)
  await remind()
  await submit(`Note of ${name}`)
  await ana.post(gallery('/round/reopening'), { message: `Too early, ${name}` })
  const { id, guest } = await currentRound()
  await api.post(ofEvent(`/rounds/${id}/reopen`), { message: `Dear ${name}` })
  await mailsTo(studio)
  const columns = {
    mails: ['subject', 'text_body', 'html_body', 'reply_to'],
    rounds: ['message', 'asked_message'],
    selections: ['note', 'people', 'snapshot'],
    webhook_deliveries: ['envelope', 'templated_body'],
    guests: ['name'],
  }
  const find = () =>
    readDatabase(service, (stored) =>
      Object.entries(columns).flatMap(([table, names]) =>
        names.filter((column) =>
          stored.prepare(`select 1 from ${table} where event_id = ? and ${column} like ?`).get(event.id, `%${name}%`),
        ),
      ),
    )
  expect(find()).toEqual(expect.arrayContaining(['text_body', 'asked_message', 'message', 'people', 'envelope']))
  // The session of the operator has ended with the clock.
  await withAppContext(service, (ctx) => eraseGuest(ctx, event.id, guest.id))
  expect(find()).toEqual([])
})
