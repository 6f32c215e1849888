import { describe, expect, test } from 'vitest'
import type { MailRecord } from '../../../contract/instance/mail.ts'
import { must } from '../../../contract/must.ts'
import { createEvent as createEventOperation } from '../../../server/events/create-event.ts'
import { findEvent } from '../../../server/events/event-rows.ts'
import { resendEmail } from '../../../server/events/mail/resend-email.ts'
import { days } from '../../../server/platform/time/clock.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { mailServerForTest, smtpError } from '../../support/network/mail-server.ts'
import {
  createMovableClock,
  serviceForTest,
  sharedService,
  type TestService,
} from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const password = 'tulips and roses'

async function listMails(eventId: number, of: TestService = service): Promise<MailRecord[]> {
  const { body } = await of.admin.get('/api/admin/mail/outbox?limit=100')
  return body.mails.filter((mail: MailRecord) => mail.event_id === eventId)
}

const resend = (eventId: number, body?: Record<string, unknown>) =>
  admin.post(`/api/admin/events/${eventId}/resend-email`, body)

test('without a mail server, mail is stored and readable, its password neither shown nor stored', async () => {
  const body = { customer_email: 'ana@example.com', require_password: true, password }
  const { id, share_url } = await createEvent(api, body)
  const [mail, ...others] = await listMails(id)
  expect(others).toEqual([])
  expect(mail).toEqual({
    ...{ id: expect.any(Number), event_id: id, kind: 'gallery_created', to: 'ana@example.com', status: 'kept' },
    ...{ created_at: expect.stringMatching(/^\d{4}-.*Z$/), sent_at: null, next_attempt_at: null },
    ...{ attempts: 0, last_error: null, subject: 'Your gallery is ready: Ana & Ben' },
    text: expect.stringContaining('Password: ••••••\n'),
    html: expect.stringContaining('••••••</span>'),
  })
  expect(mail?.text).toContain(share_url)
  const stored = readDatabase(service, (stored) => stored.prepare('select * from mails where event_id = ?').all(id))
  expect(stored).toMatchObject([{ credential: null }])
  expect(JSON.stringify(stored)).not.toContain(password)
})

describe('the outbox', () => {
  test('is paged, newest first, and has the mails of the own events', async () => {
    const [ana, ben] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
    const load = async (query = '', reader = ana.admin) =>
      (await reader.get(`/api/admin/mail/outbox?${query}`)).body as { mails: MailRecord[]; pagination: unknown }
    const list = async (query = '', reader = ana.admin) => (await load(query, reader)).mails.map(({ to }) => to)
    const addresses = ['c1@example.com', 'c2@example.com', 'c3@example.com']
    const events: TestEvent[] = []
    for (const customer_email of addresses) events.push(await createEvent(ana.api, { customer_email }))
    expect(await list('limit=2')).toEqual(['c3@example.com', 'c2@example.com'])
    expect((await load('limit=2')).pagination).toEqual({ page: 1, limit: 2, total: 3, pages: 2 })
    expect(await list('limit=2&page=2')).toEqual(['c1@example.com'])
    expect(await list('page=3')).toEqual([])
    for (const query of ['limit=101', 'page=0', 'status=lost'])
      expectInvalidField(await ana.admin.get(`/api/admin/mail/outbox?${query}`), query.split('=')[0] as string)
    expect(await list('', ben.admin)).toEqual([])
    expect(await list('limit=100', admin)).toEqual(expect.arrayContaining(addresses))
    const members = `/api/admin/events/${events[1]?.id}/members`
    await ana.admin.put(members, { user_ids: [ben.id] })
    expect(await list('', ben.admin)).toEqual(['c2@example.com'])
  })

  test('shows a mail as its reader sees it, in a page without scripts', async () => {
    const fields = { event_name: '<script>alert(1)</script>', customer_email: 'ana@example.com' }
    const { id } = await createEvent(api, { ...fields, require_password: true, password })
    const [mail] = await listMails(id)
    const { status, headers, bytes } = await admin.get(`/api/admin/mail/outbox/${mail?.id}/html`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/sandbox(?!.*allow-(scripts|same-origin))/)
    const page = bytes.toString()
    expect(page).toContain('alert(1)')
    expect(page).not.toContain('<script')
    expect(page).toContain('••••••')
    expect(page.replace('<base target="_blank">', '')).toBe(mail?.html)
  })

  test('contains no mail of an event without a customer_email or of a rejected request', async () => {
    const count = async () => (await admin.get('/api/admin/mail/outbox')).body.pagination.total
    const before = await count()
    await createEvent(api)
    const body = { event_type: 'wedding', event_name: 'Ana', require_password: true, customer_email: 'a@example.com' }
    expectInvalidField(await api.post('/api/v1/events', body), 'password')
    expect(await count()).toBe(before)
  })

  test('contains no mail of a rolled-back transaction', async () => {
    await withAppContext(service, async (ctx) => {
      const user = await ctx.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
      const count = async () => (await ctx.db.selectFrom('mails').select('id').execute()).length
      const before = await count()
      const body = { event_type: 'wedding', event_name: 'Ana', require_password: false, customer_email: 'a@b.example' }
      let written = 0
      const failing = createEventOperation(ctx, { user, scope: null, via: 'header' }, body, async (tx) => {
        written = (await tx.selectFrom('mails').select('id').execute()).length
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect([written, await count()]).toEqual([before + 1, before])
    })
  })
})

describe('a mail in the state kept or failed', () => {
  const retry = (client: typeof admin, id: number | undefined) => client.post(`/api/admin/mail/outbox/${id}/retry`, {})

  test('stays there when a mail server is set up later, and can then be sent', async () => {
    const mailServer = await mailServerForTest()
    const before = await serviceForTest()
    await createEvent(before.api, { customer_email: 'early@example.com' })
    const { mails } = (await before.admin.get('/api/admin/mail/outbox?status=kept')).body
    expect(mails.map(({ to }: MailRecord) => to)).toEqual(['early@example.com'])
    expect((await before.admin.get('/api/admin/mail/outbox?status=sent')).body.mails).toEqual([])
    expectProblem(await retry(before.admin, mails[0].id), 409, 'INVALID_STATE')

    const after = await serviceForTest({ environment: { SMTP_URL: mailServer.url, DATA_DIR: before.dataDir } })
    await createEvent(after.api, { customer_email: 'late@example.com' })
    const statuses = async () =>
      (await after.admin.get('/api/admin/mail/outbox')).body.mails.map(({ status }: MailRecord) => status)
    await expect.poll(statuses).toEqual(['sent', 'kept'])
    const queued = { id: mails[0].id, status: 'queued', attempts: 0 }
    expect((await retry(after.admin, mails[0].id)).body).toMatchObject(queued)
    await expect.poll(statuses).toEqual(['sent', 'sent'])
    const sent = mailServer.received.map(({ recipients }) => recipients)
    expect(sent).toEqual([['late@example.com'], ['early@example.com']])
    expectProblem(await retry(after.admin, mails[0].id), 409, 'INVALID_STATE')
  })

  test('is not sent again if it had a password or is older than 7 days', async () => {
    const own = await serviceForTest({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    const closed = await createEvent(own.api, { customer_email: 'ana@example.com', require_password: true, password })
    const open = await createEvent(own.api, { customer_email: 'ben@example.com' })
    const [[withPassword], [plain]] = await Promise.all([listMails(closed.id, own), listMails(open.id, own)])
    const fail = (change: string) =>
      changeDatabase(own, (stored) => stored.exec(`update mails set status = 'failed', ${change}`))
    await fail('credential = null, next_attempt_at = null')
    expectProblem(await retry(own.admin, withPassword?.id), 409, 'INVALID_STATE')
    expect((await retry(own.admin, plain?.id)).status).toBe(200)
    await fail(`created_at = ${Date.now() - days(8)}`)
    expectProblem(await retry(own.admin, plain?.id), 409, 'INVALID_STATE')
  })
})

describe('resend-email', () => {
  const to = { customer_email: 'ana@example.com' }
  const createProtected = () => createEvent(api, { ...to, require_password: true, password })

  test('mails the gallery again with the given password', async () => {
    const mailServer = await mailServerForTest()
    const own = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    const body = { ...to, require_password: true, password, send_email: false }
    const { id, share_url } = await createEvent(own.api, body)
    const preview = async () => (await own.admin.get(`/api/admin/events/${id}/gallery-email`)).body
    expect(await preview()).toEqual({
      subject: 'Your gallery is ready: Ana & Ben',
      text: expect.stringContaining('you will receive separately'),
      text_with_password: expect.stringContaining('Password: ••••••\n'),
      can_send: true,
      emailed_at: null,
    })
    const answer = await own.admin.post(`/api/admin/events/${id}/resend-email`, { password })
    expect([answer.status, answer.body]).toEqual([200, { success: true, message: expect.stringMatching(/\S/) }])
    const [mail] = await mailServer.receive(1)
    expect(mail?.text).toContain(`Password: ${password}`)
    expect(mail?.text).toContain(share_url)
    const { text_with_password, emailed_at } = await preview()
    expect(must(mail?.text, 'the text').trim()).toBe(text_with_password.replace('••••••', password).trim())
    expect(emailed_at).toMatch(/Z$/)
  })

  test('without a password sends the variant without credentials, and reports that it was only stored', async () => {
    const { id } = await createProtected()
    for (const [index, body] of [undefined, {}, { password: null }].entries()) {
      const answer = await resend(id, body)
      expect([answer.status, answer.body]).toEqual([200, { success: true, message: expect.stringContaining('outbox') }])
      const mails = await listMails(id)
      expect(mails).toHaveLength(index + 2)
      expect(mails[0]).toMatchObject({ status: 'kept', kind: 'gallery_created' })
      expect(mails[0]?.text).toContain('you will receive separately')
      expect(mails[0]?.text).not.toContain('••••••')
    }
  })

  test('with a password that is not the event’s is 400 and sends nothing', async () => {
    const [closed, open] = [await createProtected(), await createEvent(api, to)]
    expectInvalidField(await resend(closed.id, { password: 'another one' }), 'password')
    expectInvalidField(await resend(closed.id, { password: 7 }), 'password')
    expectInvalidField(await resend(open.id, { password }), 'password')
    for (const { id } of [closed, open]) expect(await listMails(id)).toHaveLength(1)
    // Also with a password that changes during the request.
    await withAppContext(service, async (ctx) => {
      const before = must(await findEvent(ctx.db, closed.id), 'the event')
      await api.patch(`/api/v1/events/${closed.id}`, { password: 'quite another' })
      await expect(resendEmail(ctx, before, password)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    })
    expectInvalidField(await resend(closed.id, { password }), 'password')
    expect((await resend(closed.id, { password: 'quite another' })).status).toBe(200)
  })

  test('is rejected without a customer_email, and while the link opens nothing', async () => {
    const { id } = await createEvent(api, { admin_email: 'studio@example.com' })
    expectProblem(await resend(id), 400, 'NO_RECIPIENT')
    const [draft, archived] = [await createEvent(api, { ...to, is_draft: true }), await createEvent(api, to)]
    expectProblem(await resend(draft.id), 409, 'INVALID_STATE')
    await api.post(`/api/v1/events/${archived.id}/archive`, {})
    expectProblem(await resend(archived.id), 409, 'EVENT_ARCHIVED')
    const expired = await createEvent(api, to)
    await admin.post(`/api/admin/events/${expired.id}/close`, undefined)
    expectProblem(await resend(expired.id), 409, 'INVALID_STATE')
  })
})

test('a mail fails with a reason if its ENCRYPTION_KEY is missing; ENCRYPTION_KEY_OLD decrypts it', async () => {
  const [first, second] = ['first'.repeat(8), 'second'.repeat(8)]
  const clock = createMovableClock()
  const own = await serviceForTest()
  const start = (environment: Record<string, string>) =>
    serviceForTest({ environment: { DATA_DIR: own.dataDir, ...environment }, edges: { clock } })
  // No process listens on this port, so the mails stay queued.
  const writer = await start({ SMTP_URL: 'smtp://127.0.0.1:9', ENCRYPTION_KEY: first })
  const body = { customer_email: 'ana@example.com', require_password: true, password }
  const [one, other] = [await createEvent(writer.api, body), await createEvent(writer.api, body)]
  const load = async ({ id }: TestEvent) => (await listMails(id, own))[0]
  await expect.poll(() => load(other)).toMatchObject({ attempts: 1, last_error: expect.any(String) })
  await writer.stop()
  const makeDue = ({ id }: TestEvent) =>
    changeDatabase(own, (stored) => stored.prepare('update mails set next_attempt_at = 0 where event_id = ?').run(id))
  await makeDue(one)
  const mailServer = await mailServerForTest()
  const environment = { SMTP_URL: mailServer.url, ENCRYPTION_KEY: second }
  const changed = await start(environment)
  const last_error = expect.stringContaining('ENCRYPTION_KEY')
  await expect.poll(() => load(one)).toMatchObject({ status: 'failed', last_error })
  await changed.stop()
  await makeDue(other)
  await start({ ...environment, ENCRYPTION_KEY_OLD: first })
  const [mail] = await mailServer.receive(1)
  expect(mail?.text).toContain(password)
})

describe('a test mail', () => {
  test('is sent to the caller during the request, and is not in the outbox', async () => {
    const mailServer = await mailServerForTest()
    const own = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    const { body: ownAddress } = await own.admin.get('/api/auth/session')
    const { status, body } = await own.admin.post('/api/admin/mail/test', {})
    const sent = { to: ownAddress.user.email, is_sent: true, problem: null, failure: null }
    expect({ status, body }).toEqual({ status: 200, body: sent })
    const [mail] = mailServer.received
    expect(mail).toMatchObject({ recipients: [ownAddress.user.email], subject: 'Test email' })
    expect(mail?.text).toContain(`${own.url}/admin`)
    await own.admin.put('/api/admin/settings', { general_default_language: 'de' })
    await own.admin.post('/api/admin/mail/test', {})
    expect(mailServer.received[1]?.subject).toBe('Test-E-Mail')
    expect((await own.admin.get('/api/admin/mail/outbox')).body.mails).toEqual([])
  })

  test('that the mail server rejects returns the reason and is not retried', async () => {
    let conversations = 0
    const mailServer = await mailServerForTest({
      onMailFrom(_address, _session, done) {
        conversations += 1
        done(smtpError(553, 'Sender not allowed'))
      },
    })
    const own = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    const { body } = await own.admin.post('/api/admin/mail/test', {})
    expect(body).toMatchObject({ is_sent: false, problem: 'The mail server responded: 553 Sender not allowed' })
    expect((await own.admin.get('/api/admin/mail/outbox')).body.mails).toEqual([])
    expect(conversations).toBe(1)
  })

  test('is rejected if there is no mail server', async () => {
    expectProblem(await admin.post('/api/admin/mail/test', {}), 409, 'INVALID_STATE')
  })
})
