import { expect, test } from 'vitest'
import { archiveEvent } from '../../../server/events/change-state.ts'
import { warnOfExpiry } from '../../../server/events/mail/warn-of-expiry.ts'
import type { MailRow } from '../../../server/platform/mail/mail-rows.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { mailServerForTest } from '../../support/network/mail-server.ts'
import { isOnPostgres } from '../../support/service/back-ends.ts'
import { createMovableClock, serviceForTest, type TestService } from '../../support/service/test-service.ts'

const day = 24 * 3_600_000
const customer = 'ana@example.com'
const operator = 'studio@example.com'

async function timedService() {
  const clock = createMovableClock()
  const service = await serviceForTest({ edges: { clock } })
  const runWarnings = () => withAppContext(service, (ctx) => warnOfExpiry({ ...ctx, clock }))
  return { clock, service, api: service.api, runWarnings }
}

const listMails = (of: TestService, eventId: number, kind: string): MailRow[] =>
  readDatabase(of, (stored) =>
    stored.prepare('select * from mails where event_id = ? and kind = ? order by id').all(eventId, kind),
  ) as MailRow[]

const listWarnings = (of: TestService, eventId: number): string[] =>
  listMails(of, eventId, 'expiry_warning').map(({ recipient }) => recipient)

test('customer and operator are warned once, 7 days before the expiry and not earlier', async () => {
  const { clock, service, api, runWarnings } = await timedService()
  const { id, share_url } = await createEvent(api, {
    customer_email: customer,
    customer_name: 'Ana',
    admin_email: operator,
    expiration_days: 30,
  })
  clock.advance(23 * day - 60_000)
  await runWarnings()
  expect(listWarnings(service, id)).toEqual([])
  clock.advance(61_000)
  await Promise.all([runWarnings(), runWarnings(), runWarnings()])
  await runWarnings()
  expect(listWarnings(service, id)).toEqual([customer, operator])
  const [toCustomer, toOperator] = listMails(service, id, 'expiry_warning')
  const expires = (await api.get(`/api/v1/events/${id}`)).body.expires_at
  const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(expires))
  expect(toCustomer).toMatchObject({ subject: `Available until ${date}: Ana & Ben`, reply_to: operator })
  expect(toCustomer?.text_body).toContain(`Hello Ana,\n\nThe gallery “Ana & Ben” closes on ${date}.`)
  expect(toCustomer?.text_body).toContain(share_url)
  expect(toOperator?.text_body).toContain('set a later expiry date')
})

test('a later expiry brings another warning', async () => {
  const { clock, service, api, runWarnings } = await timedService()
  const { id } = await createEvent(api, { customer_email: customer, expiration_days: 30 })
  clock.advance(24 * day)
  await runWarnings()
  await api.patch(`/api/v1/events/${id}`, { expiration_days: 30 })
  await runWarnings()
  expect(listWarnings(service, id)).toHaveLength(1)
  clock.advance(24 * day)
  await runWarnings()
  await runWarnings()
  expect(listWarnings(service, id)).toHaveLength(2)
})

test('a change that keeps the date brings no other warning', async () => {
  const { clock, service, api, runWarnings } = await timedService()
  const { id } = await createEvent(api, { customer_email: customer, expiration_days: 30 })
  clock.advance(24 * day)
  await runWarnings()
  const { expires_at } = (await api.get(`/api/v1/events/${id}`)).body
  await api.patch(`/api/v1/events/${id}`, { event_name: 'Other', expires_at })
  await runWarnings()
  expect(listWarnings(service, id)).toHaveLength(1)
})

test('drafts, archived and expired events, and those without a recipient, get no warning', async () => {
  const { clock, service, api, runWarnings } = await timedService()
  const body = { customer_email: customer, expiration_days: 10 }
  const draft = await createEvent(api, { ...body, is_draft: true })
  const archived = await createEvent(api, body)
  await api.post(`/api/v1/events/${archived.id}/archive`, {})
  const expired = await createEvent(api, { ...body, expiration_days: 9 })
  const withoutRecipient = await createEvent(api, { expiration_days: 20 })
  const live = await createEvent(api, { ...body, expiration_days: 16 })
  clock.advance(10 * day + 1000)
  await runWarnings()
  clock.advance(5 * day)
  await runWarnings()
  const counts = [draft, archived, expired, withoutRecipient, live].map(({ id }) => listWarnings(service, id).length)
  expect(counts).toEqual([0, 0, 0, 0, 1])
})

test('an event published less than 7 days before gets no warning: its first mail has the date', async () => {
  const { clock, service, api, runWarnings } = await timedService()
  const short = await createEvent(api, { customer_email: customer, expiration_days: 5 })
  const draft = await createEvent(api, { customer_email: customer, expiration_days: 20, is_draft: true })
  clock.advance(2 * day)
  await runWarnings()
  clock.advance(16 * day)
  await api.post(`/api/v1/events/${draft.id}/publish`, {})
  await runWarnings()
  expect([short, draft].map(({ id }) => listWarnings(service, id).length)).toEqual([0, 0])
  expect([short, draft].map(({ id }) => listMails(service, id, 'gallery_created').length)).toEqual([1, 1])
  await api.patch(`/api/v1/events/${draft.id}`, { expiration_days: 6 })
  await runWarnings()
  expect(listWarnings(service, draft.id)).toHaveLength(1)
})

test('more events than one batch all get a warning', async () => {
  const { clock, service, api, runWarnings } = await timedService()
  const { id } = await createEvent(api, { customer_email: customer, expiration_days: 30 })
  await changeDatabase(service, (stored) => {
    copyRow(stored, 'events', id, 150, { slug: "slug || '-' || n.value" })
  })
  clock.advance(24 * day)
  const total = () =>
    readDatabase(service, (stored) =>
      stored.prepare("select count(*) from mails where kind = 'expiry_warning'").pluck().get(),
    )
  await runWarnings()
  expect(total()).toBe(100)
  await runWarnings()
  expect(total()).toBe(151)
})

// Only SQLite returns this form of a query plan.
if (!isOnPostgres) {
  test('the query reads only the events of the next 7 days', async () => {
    const { service } = await timedService()
    const plan = readDatabase(service, (stored) =>
      stored
        .prepare(
          `explain query plan select id from events where expires_at > ? and expires_at <= ?
         and expiry_warned_for is distinct from expires_at and is_draft = ? and is_archived = ? limit 100`,
        )
        .all(0, 0, 0, 0),
    ) as Array<{ detail: string }>
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH events USING INDEX events_by_expiry (expires_at>? AND expires_at<?)',
    ])
  })
}

test('the service itself warns soon after its start, and the mail is sent', async () => {
  const mailServer = await mailServerForTest()
  const clock = createMovableClock()
  const data = await serviceForTest({ edges: { clock } })
  await createEvent(data.api, { customer_email: customer, expiration_days: 30 })
  clock.advance(24 * day)
  await serviceForTest({ environment: { DATA_DIR: data.dataDir, SMTP_URL: mailServer.url }, edges: { clock } })
  const [mail] = await mailServer.receive(1)
  expect(mail?.subject).toMatch(/^Available until/)
})

test('only the operator gets a mail if an event is archived after its expiry', async () => {
  const { clock, service, api } = await timedService()
  const both = await createEvent(api, { customer_email: customer, admin_email: operator, expiration_days: 1 })
  const one = await createEvent(api, { customer_email: operator, admin_email: operator, expiration_days: 1 })
  clock.advance(2 * day)
  await withAppContext(service, async (ctx) => {
    for (const { id } of [both, one]) await archiveEvent({ ...ctx, clock }, id)
  })
  const notices = [both, one].map(({ id }) => listMails(service, id, 'archive_notice'))
  expect(notices.map((mails) => mails.map(({ recipient }) => recipient))).toEqual([[operator], [operator]])
  for (const [notice] of notices) expect(notice?.text_body).toContain('has been archived')
})
