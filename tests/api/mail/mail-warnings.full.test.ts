import { expect, test } from 'vitest'
import { settingDefaults } from '../../../contract/settings.ts'
import { archiveEvent, restoreEvent } from '../../../server/events/change-state.ts'
import { warnOfExpiry } from '../../../server/events/mail/warn-of-expiry.ts'
import type { MailRow } from '../../../server/platform/mail/mail-rows.ts'
import { days, minutes } from '../../../server/platform/time/clock.ts'
import type { AppContext } from '../../../server/settings/app-context.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { databaseWithPlans } from '../../support/database/query-plans.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { mailServerForTest } from '../../support/network/mail-server.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const customer = 'ana@example.com'
const operator = 'studio@example.com'
/** The address of the first account, which creates the events. */
const creator = 'admin@localhost'
const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { api } = service

const runWarnings = () => withAppContext(service, (ctx) => warnOfExpiry({ ...ctx, clock }))
/** Changes the setting without a request, because the session ends when a test advances the clock. */
const warnBefore = (mail_warn_of_expiry_days: number) =>
  withAppContext(service, (ctx) => ctx.settings.change({ mail_warn_of_expiry_days }))
const createExpiring = (expiration_days: number, body: Record<string, unknown> = {}) =>
  createEvent(api, { customer_email: customer, expiration_days, ...body })
const change = ({ id }: { id: number }, body: object) => api.patch(`/api/v1/events/${id}`, body)

const listMails = ({ id }: { id: number }, kind = 'expiry_warning'): MailRow[] =>
  readDatabase(service, (stored) =>
    stored.prepare('select * from mails where event_id = ? and kind = ? order by id').all(id, kind),
  ) as MailRow[]
const listWarned = (event: { id: number }) => listMails(event).map(({ recipient }) => recipient)

test('customer and operator are warned once for each date, 7 days before it', async () => {
  const event = await createExpiring(30, { customer_name: 'Ana', admin_email: operator })
  clock.advance(days(23) - minutes(1))
  await runWarnings()
  expect(listWarned(event)).toEqual([])
  clock.advance(minutes(1) + 1000)
  await Promise.all([runWarnings(), runWarnings(), runWarnings()])
  await runWarnings()
  expect(listWarned(event)).toEqual([customer, operator])
  const [toCustomer, toOperator] = listMails(event)
  const { expires_at } = (await api.get(`/api/v1/events/${event.id}`)).body
  const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(expires_at))
  expect(toCustomer).toMatchObject({ subject: `Available until ${date}: Ana & Ben`, reply_to: operator })
  expect(toCustomer?.text_body).toContain(`Hello Ana,\n\nThe gallery “Ana & Ben” closes on ${date}.`)
  expect(toCustomer?.text_body).toContain(event.share_url)
  expect(toOperator?.text_body).toContain('set a later expiry date')

  await change(event, { event_name: 'Other', expires_at })
  await runWarnings()
  expect(listWarned(event)).toHaveLength(2)
  await change(event, { expiration_days: 30 })
  await runWarnings()
  expect(listWarned(event)).toHaveLength(2)
  clock.advance(days(24))
  await runWarnings()
  await runWarnings()
  expect(listWarned(event)).toHaveLength(4)
})

test('drafts, archived and expired events get no warning; without an address, the creator of an event gets it', async () => {
  const archived = await createExpiring(10)
  await api.post(`/api/v1/events/${archived.id}/archive`, {})
  const silent = [await createExpiring(10, { is_draft: true }), archived, await createExpiring(9)]
  const live = [await createExpiring(16), await createExpiring(16, { customer_email: null, admin_email: null })]
  clock.advance(days(10) + 1000)
  await runWarnings()
  clock.advance(days(5))
  await runWarnings()
  expect([...silent, ...live].map(listWarned)).toEqual([[], [], [], [customer, creator], [creator]])
})

test('an event published less than 7 days before gets no warning: its first mail has the date', async () => {
  const short = await createExpiring(5)
  const draft = await createExpiring(20, { is_draft: true })
  clock.advance(days(2))
  await runWarnings()
  clock.advance(days(16))
  await api.post(`/api/v1/events/${draft.id}/publish`, {})
  await runWarnings()
  expect([short, draft].map((event) => listWarned(event).length)).toEqual([0, 0])
  expect([short, draft].map((event) => listMails(event, 'gallery_created').length)).toEqual([1, 1])
  await change(draft, { expiration_days: 6 })
  await runWarnings()
  expect(listWarned(draft)).toEqual([customer, creator])
})

test('mail_warn_of_expiry_days sets the number of days before, or 0 for never', async () => {
  await warnBefore(0)
  const event = await createExpiring(30)
  clock.advance(days(20))
  for (const [setting, count] of [
    [0, 0],
    [9, 0],
    [11, 2],
  ] as const) {
    await warnBefore(setting)
    await runWarnings()
    expect(listWarned(event)).toHaveLength(count)
  }
  await warnBefore(7)
})

test('more events than one batch all get a warning', async () => {
  const { id } = await createExpiring(30, { admin_email: 'batch@example.com' })
  await changeDatabase(service, (stored) => {
    copyRow(stored, 'events', id, 150, { slug: "slug || '-' || n.value" })
  })
  clock.advance(days(24))
  const total = () =>
    readDatabase(service, (stored) =>
      stored
        .prepare("select count(*) from mails where kind = 'expiry_warning' and recipient = 'batch@example.com'")
        .pluck()
        .get(),
    )
  await runWarnings()
  expect(total()).toBe(100)
  await runWarnings()
  expect(total()).toBe(151)
})

test('the query reads only the events of the next days', async () => {
  const { db, planSteps } = await databaseWithPlans()
  const settings = { values: async () => settingDefaults } as AppContext['settings']
  await warnOfExpiry({ db, clock, settings } as unknown as AppContext)
  const steps = planSteps().map(({ detail }) => detail)
  expect(steps).toEqual(['SEARCH events USING INDEX events_by_expiry (expires_at>? AND expires_at<?)'])
})

test('the service itself warns soon after its start, and the mail is sent', async () => {
  const mailServer = await mailServerForTest()
  const clock = createMovableClock()
  const data = await serviceForTest({ edges: { clock } })
  await createEvent(data.api, { customer_email: customer, expiration_days: 30 })
  clock.advance(days(24))
  await serviceForTest({ environment: { DATA_DIR: data.dataDir, SMTP_URL: mailServer.url }, edges: { clock } })
  const [mail] = await mailServer.receive(1)
  expect(mail?.subject).toMatch(/^Available until/)
})

test('only the operator gets a mail if an event is archived after its expiry', async () => {
  const both = await createExpiring(1, { admin_email: operator })
  const one = await createExpiring(1, { customer_email: operator, admin_email: operator })
  clock.advance(days(2))
  await withAppContext(service, async (ctx) => {
    for (const { id } of [both, one]) await archiveEvent({ ...ctx, clock }, id)
  })
  for (const event of [both, one]) {
    const notices = listMails(event, 'archive_notice')
    expect(notices.map(({ recipient }) => recipient)).toEqual([operator])
    expect(notices[0]?.text_body).toContain('has been archived')
  }
})

test('the mails about archiving wait for half a minute, and a restore deletes them', { tags: 'database' }, async () => {
  const event = await createExpiring(9, { admin_email: operator })
  await withAppContext(service, (ctx) => archiveEvent({ ...ctx, clock }, event.id))
  expect(listMails(event, 'archive_notice').map(({ recipient }) => recipient)).toEqual([customer, operator])
  await withAppContext(service, (ctx) => restoreEvent({ ...ctx, clock }, event.id))
  expect(listMails(event, 'archive_notice')).toEqual([])

  const mailServer = await mailServerForTest()
  const sending = await serviceForTest({ environment: { SMTP_URL: mailServer.url }, edges: { clock } })
  const { id } = await createEvent(sending.api, { customer_email: customer, expiration_days: 9 })
  await mailServer.receive(1)
  await sending.admin.post(`/api/admin/events/${id}/archive`, {})
  const [notice] = readDatabase(sending, (stored) =>
    stored.prepare("select next_attempt_at from mails where kind = 'archive_notice'").all(),
  ) as MailRow[]
  expect(Number(notice?.next_attempt_at) - clock.now()).toBeGreaterThan(20_000)
})
