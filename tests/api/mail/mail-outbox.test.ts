import { describe, expect, test } from 'vitest'
import type { MailRecord } from '../../../contract/instance/mail.ts'
import { createEvent as createEventOperation } from '../../../server/events/create-event.ts'
import { findEvent } from '../../../server/events/event-rows.ts'
import { resendEmail } from '../../../server/events/mail/resend-email.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
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

const resend = (eventId: number, body: Record<string, unknown> = {}) =>
  admin.post(`/api/admin/events/${eventId}/resend-email`, body)

describe('without a mail server', () => {
  test('mail is stored and readable, with its password neither shown nor stored', async () => {
    const { id, share_url } = await createEvent(api, {
      customer_email: 'ana@example.com',
      require_password: true,
      password,
    })
    const [mail, ...others] = await listMails(id)
    expect(others).toEqual([])
    expect(mail).toEqual({
      id: expect.any(Number),
      kind: 'gallery_created',
      to: 'ana@example.com',
      subject: 'Your gallery is ready: Ana & Ben',
      status: 'kept',
      text: expect.stringContaining('Password: ••••••\n'),
      html: expect.stringContaining('••••••</span>'),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      sent_at: null,
      next_attempt_at: null,
      attempts: 0,
      last_error: null,
      event_id: id,
    })
    expect(mail?.text).toContain(share_url)
    const stored = readDatabase(service, (stored) => stored.prepare('select * from mails where event_id = ?').all(id))
    expect(stored).toMatchObject([{ credential: null }])
    expect(JSON.stringify(stored)).not.toContain(password)
  })

  test('it keeps the state kept when a mail server is set up later; only new mail is sent', async () => {
    const mailServer = await mailServerForTest()
    const before = await serviceForTest()
    await createEvent(before.api, { customer_email: 'early@example.com' })
    const after = await serviceForTest({ environment: { SMTP_URL: mailServer.url, DATA_DIR: before.dataDir } })
    await createEvent(after.api, { customer_email: 'late@example.com' })
    const received = await mailServer.receive(1)
    expect(received.map(({ recipients }) => recipients)).toEqual([['late@example.com']])
    const statuses = async () =>
      (await after.admin.get('/api/admin/mail/outbox')).body.mails.map((mail: MailRecord) => [mail.to, mail.status])
    await expect.poll(statuses).toEqual([
      ['late@example.com', 'sent'],
      ['early@example.com', 'kept'],
    ])
  })

  test('resend-email reports that nothing was sent', async () => {
    const { id } = await createEvent(api, { customer_email: 'ana@example.com', send_email: false })
    const { status, body } = await resend(id)
    expect([status, body]).toEqual([200, { success: true, message: expect.stringContaining('outbox') }])
    expect(await listMails(id)).toMatchObject([{ status: 'kept', kind: 'gallery_created' }])
  })
})

describe('the outbox', () => {
  test('is paged, newest first', async () => {
    const own = await serviceForTest()
    for (const count of [1, 2, 3]) await createEvent(own.api, { customer_email: `c${count}@example.com` })
    const { body: first } = await own.admin.get('/api/admin/mail/outbox?limit=2')
    expect(first.mails.map(({ to }: MailRecord) => to)).toEqual(['c3@example.com', 'c2@example.com'])
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 3, pages: 2 })
    const { body: second } = await own.admin.get('/api/admin/mail/outbox?limit=2&page=2')
    expect(second.mails.map(({ to }: MailRecord) => to)).toEqual(['c1@example.com'])
    expect((await own.admin.get('/api/admin/mail/outbox?page=3')).body.mails).toEqual([])
    expectInvalidField(await own.admin.get('/api/admin/mail/outbox?limit=101'), 'limit')
    expectInvalidField(await own.admin.get('/api/admin/mail/outbox?page=0'), 'page')
  })

  test('shows an account only the mails of its own events, and a super_admin all of them', async () => {
    const ana = await createAccount(service, 'admin')
    const ben = await createAccount(service, 'admin')
    const { id } = await createEvent(ana.api, { customer_email: 'ana@example.com' })
    const listEventIds = async (reader: typeof ana.admin): Promise<Array<number | null>> =>
      (await reader.get('/api/admin/mail/outbox?limit=100')).body.mails.map((mail: MailRecord) => mail.event_id)
    expect(await listEventIds(ana.admin)).toEqual([id])
    expect(await listEventIds(ben.admin)).toEqual([])
    expect(await listEventIds(admin)).toContain(id)
    await changeDatabase(service, (stored) => stored.prepare('insert into event_members values (?, ?)').run(id, ben.id))
    expect(await listEventIds(ben.admin)).toEqual([id])
  })

  test('shows a mail as its reader sees it, in a page without scripts', async () => {
    const fields = { event_name: '<script>alert(1)</script>', customer_email: 'ana@example.com' }
    const { id } = await createEvent(api, { ...fields, require_password: true, password })
    const { mails } = (await admin.get('/api/admin/mail/outbox')).body
    const mail = mails.find(({ event_id }: MailRecord) => event_id === id)
    const { status, headers, bytes } = await admin.get(`/api/admin/mail/outbox/${mail.id}/html`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/sandbox(?!.*allow-(scripts|same-origin))/)
    const page = bytes.toString()
    expect(page).toContain('alert(1)')
    expect(page).not.toContain('<script')
    expect(page).toContain('••••••')
    expect(page.replace('<base target="_blank">', '')).toBe(mail.html)
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
      const body = {
        event_type: 'wedding',
        event_name: 'Ana',
        require_password: false,
        customer_email: 'a@example.com',
      }
      const caller = { user, scope: null, via: 'header' } as const
      let written = 0
      const failing = createEventOperation(ctx, caller, body, async (tx) => {
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

  test('is found by its state, and can be sent if there is a mail server', async () => {
    const mailServer = await mailServerForTest()
    const before = await serviceForTest()
    await createEvent(before.api, { customer_email: 'early@example.com' })
    const { mails } = (await before.admin.get('/api/admin/mail/outbox?status=kept')).body
    expect(mails.map(({ to }: MailRecord) => to)).toEqual(['early@example.com'])
    expect((await before.admin.get('/api/admin/mail/outbox?status=sent')).body.mails).toEqual([])
    expectInvalidField(await before.admin.get('/api/admin/mail/outbox?status=lost'), 'status')
    expectProblem(await retry(before.admin, mails[0].id), 409, 'INVALID_STATE')

    const after = await serviceForTest({ environment: { SMTP_URL: mailServer.url, DATA_DIR: before.dataDir } })
    expect((await retry(after.admin, mails[0].id)).body).toMatchObject({
      id: mails[0].id,
      status: 'queued',
      attempts: 0,
    })
    const [received] = await mailServer.receive(1)
    expect(received?.recipients).toEqual(['early@example.com'])
    const statuses = async () => (await listMails(mails[0].event_id, after)).map(({ status }) => status)
    await expect.poll(statuses).toEqual(['sent'])
    expectProblem(await retry(after.admin, mails[0].id), 409, 'INVALID_STATE')
  })

  test('is not sent again if it had a password or is older than 7 days, or for another owner', async () => {
    const own = await serviceForTest({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    const owner = await createAccount(own, 'admin')
    const stranger = await createAccount(own, 'admin')
    const closed = await createEvent(owner.api, { customer_email: 'ana@example.com', require_password: true, password })
    const open = await createEvent(owner.api, { customer_email: 'ben@example.com' })
    const [withPassword, plain] = await Promise.all([listMails(closed.id, own), listMails(open.id, own)])
    await changeDatabase(own, (stored) =>
      stored.exec("update mails set status = 'failed', credential = null, next_attempt_at = null"),
    )
    expectProblem(await retry(owner.admin, withPassword[0]?.id), 409, 'INVALID_STATE')
    expectProblem(await retry(stranger.admin, plain[0]?.id), 403, 'FORBIDDEN')
    expectProblem(await retry(owner.admin, 999_999), 404, 'NOT_FOUND')
    expect((await retry(owner.admin, plain[0]?.id)).status).toBe(200)
    await changeDatabase(own, (stored) =>
      stored.exec(`update mails set status = 'failed', created_at = ${Date.now() - 8 * 86_400_000}`),
    )
    expectProblem(await retry(owner.admin, plain[0]?.id), 409, 'INVALID_STATE')
  })
})

describe('resend-email', () => {
  test('mails the gallery again with the given password', async () => {
    const mailServer = await mailServerForTest()
    const own = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    const body = { customer_email: 'ana@example.com', require_password: true, password, send_email: false }
    const { id, share_url } = await createEvent(own.api, body)
    const answer = await own.admin.post(`/api/admin/events/${id}/resend-email`, { password })
    expect([answer.status, answer.body]).toEqual([200, { success: true, message: expect.stringMatching(/\S/) }])
    const [mail] = await mailServer.receive(1)
    expect(mail?.text).toContain(`Password: ${password}`)
    expect(mail?.text).toContain(share_url)
  })

  test.each([
    ['an empty body', {}],
    ['null', { password: null }],
  ])('without a password (%s) sends the variant without credentials', async (_what, body) => {
    const { id } = await createEvent(api, { customer_email: 'ana@example.com', require_password: true, password })
    expect((await resend(id, body)).status).toBe(200)
    const [newest, ...older] = await listMails(id)
    expect(newest?.text).toContain('you will receive separately')
    expect(newest?.text).not.toContain('••••••')
    expect(older).toHaveLength(1)
  })

  test('needs no body', async () => {
    const { id } = await createEvent(api, { customer_email: 'ana@example.com' })
    expect((await admin.call('POST', `/api/admin/events/${id}/resend-email`)).status).toBe(200)
  })

  test('with a password that is not the event’s is 400 and sends nothing', async () => {
    const { id } = await createEvent(api, { customer_email: 'ana@example.com', require_password: true, password })
    expectInvalidField(await resend(id, { password: 'another one' }), 'password')
    expectInvalidField(await resend(id, { password: 7 }), 'password')
    const open = await createEvent(api, { customer_email: 'ana@example.com' })
    expectInvalidField(await resend(open.id, { password }), 'password')
    expect([await listMails(id), await listMails(open.id)].map((mails) => mails.length)).toEqual([1, 1])
  })

  test('with the previous password is 400, also if it changes during the request', async () => {
    const { id } = await createEvent(api, { customer_email: 'ana@example.com', require_password: true, password })
    await withAppContext(service, async (ctx) => {
      const before = await findEvent(ctx.db, id)
      if (!before) throw new Error('The event is not there')
      await api.patch(`/api/v1/events/${id}`, { password: 'quite another' })
      await expect(resendEmail(ctx, before, password)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    })
    expectInvalidField(await resend(id, { password }), 'password')
    expect((await resend(id, { password: 'quite another' })).status).toBe(200)
  })

  test('of an event without a customer_email is 400 NO_RECIPIENT', async () => {
    const { id } = await createEvent(api, { admin_email: 'studio@example.com' })
    expectProblem(await resend(id), 400, 'NO_RECIPIENT')
  })

  test('of a draft is 409 INVALID_STATE, of an archived event 409 EVENT_ARCHIVED', async () => {
    const draft = await createEvent(api, { customer_email: 'ana@example.com', is_draft: true })
    expectProblem(await resend(draft.id), 409, 'INVALID_STATE')
    const archived = await createEvent(api, { customer_email: 'ana@example.com' })
    await api.post(`/api/v1/events/${archived.id}/archive`, {})
    expectProblem(await resend(archived.id), 409, 'EVENT_ARCHIVED')
  })

  test('of an expired event is 409 INVALID_STATE because its link opens nothing', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const { id } = await createEvent(timed.api, {
      customer_email: 'ana@example.com',
      expires_at: new Date(clock.now() + 3_600_000).toISOString(),
    })
    clock.advance(2 * 3_600_000)
    expectProblem(await timed.admin.post(`/api/admin/events/${id}/resend-email`, {}), 409, 'INVALID_STATE')
  })

  test('of an event of another owner is 403, of an unknown one 404', async () => {
    const stranger = await createAccount(service, 'admin')
    const { id } = await createEvent(api, { customer_email: 'ana@example.com' })
    expectProblem(await stranger.admin.post(`/api/admin/events/${id}/resend-email`, {}), 403, 'FORBIDDEN')
    expectProblem(await resend(999_999), 404, 'NOT_FOUND')
  })
})

test('a mail fails with a reason if its ENCRYPTION_KEY is missing; ENCRYPTION_KEY_OLD decrypts it', async () => {
  const [first, second] = ['first'.repeat(8), 'second'.repeat(8)]
  const clock = createMovableClock()
  const own = await serviceForTest()
  // No process listens on this port, so the mail stays queued.
  const silent = { SMTP_URL: 'smtp://127.0.0.1:9', DATA_DIR: own.dataDir }
  const writer = await serviceForTest({ environment: { ...silent, ENCRYPTION_KEY: first }, edges: { clock } })
  const body = { customer_email: 'ana@example.com', require_password: true, password }
  const events = [await createEvent(writer.api, body), await createEvent(writer.api, body)]
  await expect
    .poll(async () => (await listMails(events[1]?.id ?? 0, own))[0])
    .toMatchObject({ attempts: 1, last_error: expect.any(String) })
  await writer.stop()
  await changeDatabase(own, (stored) =>
    stored.prepare('update mails set next_attempt_at = 0 where event_id = ?').run(events[0]?.id),
  )
  const mailServer = await mailServerForTest()
  const environment = { SMTP_URL: mailServer.url, DATA_DIR: own.dataDir, ENCRYPTION_KEY: second }
  const changed = await serviceForTest({ environment })
  await expect
    .poll(async () => (await listMails(events[0]?.id ?? 0, own))[0])
    .toMatchObject({ status: 'failed', last_error: expect.stringContaining('ENCRYPTION_KEY') })
  await changed.stop()
  await changeDatabase(own, (stored) =>
    stored.prepare('update mails set next_attempt_at = 0 where event_id = ?').run(events[1]?.id),
  )
  await serviceForTest({ environment: { ...environment, ENCRYPTION_KEY_OLD: first } })
  const [mail] = await mailServer.receive(1)
  expect(mail?.text).toContain(password)
})

describe('a test mail', () => {
  test('is sent to the caller during the request, and is not in the outbox', async () => {
    const mailServer = await mailServerForTest()
    const own = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    const { body: ownAddress } = await own.admin.get('/api/auth/session')
    const { status, body } = await own.admin.post('/api/admin/mail/test', {})
    expect({ status, body }).toEqual({
      status: 200,
      body: { to: ownAddress.user.email, is_sent: true, problem: null, failure: null },
    })
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
