import { beforeEach, expect, test } from 'vitest'
import { eraseGuest } from '../../../server/feedback/guests/erase-guest.ts'
import { hours } from '../../../server/platform/time/clock.ts'
import { expectRateLimited } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { mailServerForFile } from '../../support/network/mail-server.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const mailServer = await mailServerForFile()
const clock = createMovableClock()
const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'photos@studio.example' }
const service = await serviceForFile({ environment, edges: { clock } })
const { api, anonymous } = service

let event: TestEvent
let customer = ''
let file = 0
beforeEach(async () => {
  customer = `ana-${++file}@example.com`
  event = await createEvent(api, {
    customer_email: customer.toUpperCase(),
    customer_name: 'Frau Berg',
    language: 'de',
    guest_session_days: 30,
  })
  await api.put(ofEvent('/first-look'), { about_count: 80, complete_on: '2031-05-12' })
})

const ofEvent = (path: string) => `/api/v1/events/${event.id}${path}`
const complete = () => api.post(ofEvent('/first-look/complete'), {})
const ask = async (guest: TestClient, email: string) =>
  (await guest.post(`/api/gallery/${event.slug}/first-look/notice`, { email })).status

/** Returns the mails to the address that are sent or wait, oldest first. */
const mailsTo = (address: string) =>
  readDatabase(service, (stored) =>
    stored
      .prepare(
        `select kind, subject, text_body as text from mails
        where event_id = ? and lower(recipient) = ? and kind like 'first_look%' order by id`,
      )
      .all(event.id, address),
  ) as Array<{ kind: string; subject: string; text: string }>

async function confirm(address: string) {
  const link = /http\S+\/mails\/\S+/.exec(mailsTo(address)[0]?.text ?? '')?.[0] ?? ''
  expect((await fetch(link, { method: 'POST', body: new URLSearchParams() })).status).toBe(200)
}

/** Returns a guest who asked and has confirmed the address. */
async function confirmedGuest(address: string) {
  const guest = await enterAsGuest(service, event)
  expect(await ask(guest, address)).toBe(200)
  await confirm(address)
  return guest
}

const openPage = async ({ token }: TestClient) =>
  (await anonymous.get(`/gallery/${event.slug}`, { cookie: `gallery_${event.id}=${token}` })).bytes.toString()

test('the customer and guests who asked and confirmed get one mail when all photos are there', async () => {
  const [ben, cleo] = [`ben-${file}@example.com`, `cleo-${file}@example.com`]
  const guest = await enterAsGuest(service, event)
  expect(await openPage(guest)).toContain('Benachrichtigen, wenn alle Fotos da sind')
  expect(await ask(guest, ben)).toBe(200)
  expect(await ask(guest, ben)).toBe(200)
  const [asking, ...more] = mailsTo(ben)
  expect([asking?.subject, more]).toEqual(['Bitte Adresse bestätigen: Ana & Ben', []])
  expect(asking?.text).toMatch(/^Hallo,[\s\S]*Ja, E-Mails senden:/)
  await confirm(ben)
  expect(await openPage(guest)).toContain('Sie erhalten eine E-Mail, wenn alle Fotos da sind.')
  // Two guests with one address, one who types the address of the customer, and one who does not confirm.
  await ask(await enterAsGuest(service, event), customer)
  expect(mailsTo(customer)).toEqual([])
  await ask(await enterAsGuest(service, event), cleo)

  await complete()
  const [, told, ...others] = mailsTo(ben)
  expect([told?.subject, others]).toEqual(['Alle Fotos sind da: Ana & Ben', []])
  expect(told?.text).toMatch(/Galerie öffnen:[\s\S]*Abmelden:/)
  expect(told?.text).not.toContain(event.share_token)
  const [toCustomer, ...twice] = mailsTo(customer)
  expect([toCustomer?.subject, twice]).toEqual(['Alle Fotos sind da: Ana & Ben', []])
  expect(toCustomer?.text).toContain('Hallo Frau Berg,')
  expect(toCustomer?.text).toContain(event.share_token)
  expect(mailsTo(cleo).map(({ kind }) => kind)).toEqual(['first_look_asked'])

  // With the next first look, nobody is told who has not asked again.
  await confirm(cleo)
  await api.put(ofEvent('/first-look'), { about_count: 90, complete_on: '2031-05-12' })
  await complete()
  expect([mailsTo(ben).length, mailsTo(cleo).length, mailsTo(customer).length]).toEqual([2, 1, 2])
  await expect.poll(() => mailServer.received.filter(({ recipients }) => recipients.includes(ben)).length).toBe(2)
})

test('a guest who has unsubscribed gets no mail until asking again, also if others enter the address', async () => {
  const ben = `ben-${file}@example.com`
  const guest = await confirmedGuest(ben)
  await complete()
  const [, link = ''] = /Abmelden:\s+(\S+)/.exec(mailsTo(ben)[1]?.text ?? '') ?? []
  expect((await fetch(link, { method: 'POST', body: new URLSearchParams() })).status).toBe(200)
  await api.put(ofEvent('/first-look'), { about_count: 80, complete_on: '2031-05-12' })
  expect(await openPage(guest)).toContain('Benachrichtigen, wenn alle Fotos da sind')
  await ask(await enterAsGuest(service, event), ben)
  await complete()
  expect(mailsTo(ben)).toHaveLength(2)
  await api.put(ofEvent('/first-look'), { about_count: 80, complete_on: '2031-05-12' })
  await ask(guest, ben)
  await complete()
  expect(mailsTo(ben)).toHaveLength(3)
})

test('nobody is mailed about a gallery that guests cannot open, or after a removal', async () => {
  const [ben, cleo] = [`ben-${file}@example.com`, `cleo-${file}@example.com`]
  const guest = await confirmedGuest(ben)
  await confirmedGuest(cleo)
  await api.delete(ofEvent('/first-look'))
  await api.put(ofEvent('/first-look'), { about_count: 80, complete_on: '2031-05-12' })
  await complete()
  expect(mailsTo(ben)).toHaveLength(1)

  await api.put(ofEvent('/first-look'), { about_count: 80, complete_on: '2031-05-12' })
  expect(await ask(guest, ben)).toBe(200)
  await api.patch(ofEvent(''), { expires_at: new Date(clock.now() + hours(1)).toISOString() })
  clock.advance(hours(2))
  await complete()
  expect([mailsTo(ben).length, mailsTo(customer).length]).toEqual([1, 1])
})

test('only so many guests of a gallery cause mails in an hour', async () => {
  const limited = await serviceForTest({ environment: { ...environment, RATE_LIMIT: 'on' } })
  const busy = await createEvent(limited.api)
  await limited.api.put(`/api/v1/events/${busy.id}/first-look`, { about_count: 80, complete_on: '2031-05-12' })
  const askAs = async (name: string) => {
    const guest = await enterAsGuest(limited, busy)
    const body = { email: `${name}-${file}@example.com` }
    return () => guest.post(`/api/gallery/${busy.slug}/first-look/notice`, body)
  }
  const [first, second, third] = [await askAs('first'), await askAs('second'), await askAs('third')]
  expect((await first()).status).toBe(200)
  await changeDatabase(limited, (stored) => {
    const id = stored.prepare<[], number>(`select id from mails where kind = 'first_look_asked'`).pluck().get()
    copyRow(stored, 'mails', id, 58, {})
  })
  expect((await second()).status).toBe(200)
  expectRateLimited(await third(), 3_600)
  // Nothing is stored, so that the guest can try again.
  const rows = `select count(*) from thread_notices where photos_asked_at is not null`
  expect(readDatabase(limited, (stored) => stored.prepare(rows).pluck().get())).toBe(2)
})

test('the mails of an erased guest are deleted', async () => {
  const ben = `ben-${file}@example.com`
  const guest = await confirmedGuest(ben)
  const { id } = (await guest.get(`/api/gallery/${event.slug}/guest`)).body.guest
  await withAppContext(service, (ctx) => eraseGuest(ctx, event.id, id))
  await complete()
  expect(mailsTo(ben)).toEqual([])
})

test('a guest who types addresses in turn causes one mail to each', async () => {
  const guest = await enterAsGuest(service, event)
  const [stranger, other] = [`stranger-${file}@example.com`, `other-${file}@example.com`]
  for (const address of [stranger, other, stranger, other.toUpperCase(), stranger])
    expect(await ask(guest, address)).toBe(200)
  expect([mailsTo(stranger).length, mailsTo(other).length]).toEqual([1, 1])
})
