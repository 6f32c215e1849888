import { afterEach, describe, expect, test } from 'vitest'
import type { MailRecord } from '../../../contract/instance/mail.ts'
import { expectInvalidField, expectProblem, expectRateLimited } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { mailPortAddress, mailServerForTest } from '../../support/network/mail-server.ts'
import {
  createMovableClock,
  serviceForFile,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'

const login = { user_name: 'studio@example.com', password: 'harbor-lights-91' }
const path = '/api/admin/mail/server'

/** At a port that the service accepts. `place` is the body of its mail server. */
async function startServer(options: Parameters<typeof mailServerForTest>[0] = {}) {
  const address = mailPortAddress()
  const mailServer = await mailServerForTest({ ...address, ...options })
  return { mailServer, place: { ...address, security: 'none' as string } }
}

const startLoginServer = () =>
  startServer({
    authOptional: false,
    disabledCommands: [],
    onAuth({ username, password }, _session, done) {
      const isCorrect = username === login.user_name && password === login.password
      done(null, isCorrect ? { user: username } : ({ message: `No entry with ${password}` } as never))
    },
  })

/** For tests that write no mail. Each test removes the mail server that it has set. */
const shared = await serviceForFile()
afterEach(() => shared.admin.put(path, { server: null, sender: null }))

const listStatuses = async ({ admin }: TestService) =>
  (await admin.get('/api/admin/mail/outbox')).body.mails.map(({ to, status }: MailRecord) => [to, status])

test('a mail server of the app is used for the next mail, without a restart', async () => {
  const { mailServer, place } = await startLoginServer()
  const service = await serviceForTest()
  const derived = { sender: null, sender_source: 'derived', sendable_mails: 0 }
  const without = { server: null, server_source: 'none', used_sender: 'admin@localhost' }
  const { body: before } = await service.admin.get(path)
  expect(before).toEqual({ ...derived, ...without, derived_sender: 'admin@localhost' })
  const server = { ...place, security: 'starttls', user_name: login.user_name }
  const { status, body } = await service.admin.put(path, { server: { ...server, ...login } })
  const senders = { used_sender: login.user_name, derived_sender: login.user_name }
  const used = { server: { ...server, has_password: true }, server_source: 'app' }
  expect([status, body]).toEqual([200, { ...derived, ...used, ...senders }])
  await createEvent(service.api, { customer_email: 'ana@example.com', require_password: true, password: 'tulips-4711' })
  const [mail] = await mailServer.receive(1)
  const [sender, recipients] = ['studio@example.com', ['ana@example.com']]
  expect([mail?.isEncrypted, mail?.from?.address, mail?.recipients]).toEqual([true, sender, recipients])
  expect(mail?.text).toContain('tulips-4711')

  await service.admin.put(path, { sender: 'Studio Ana <hello@example.com>' })
  await createEvent(service.api, { customer_email: 'ben@example.com' })
  const [, next] = await mailServer.receive(2)
  expect(next?.from).toMatchObject({ name: 'Studio Ana', address: 'hello@example.com' })
  const removed = { server: null, server_source: 'none' }
  expect((await service.admin.put(path, { server: null })).body).toMatchObject(removed)
  await createEvent(service.api, { customer_email: 'eva@example.com' })
  expect((await listStatuses(service))[0]).toEqual(['eva@example.com', 'kept'])
})

test('the password is encrypted in the database, and in no response', async () => {
  const { place } = await startLoginServer()
  const changed = await shared.admin.put(path, { server: { ...place, ...login } })
  const failed = await shared.admin.post(`${path}/test`, { to: 'ana@example.com' })
  const responses = [changed, failed, await shared.admin.get(path)]
  for (const address of ['settings', 'health', 'activity', 'mail/outbox', 'dashboard']) {
    responses.push(await shared.admin.get(`/api/admin/${address}`))
  }
  responses.push(await shared.anonymous.get('/api/public/settings'))
  for (const response of responses) {
    expect(response.status).toBe(200)
    expect(JSON.stringify(response.body)).not.toContain(login.password)
  }
  const read = (table: string) => readDatabase(shared, (stored) => stored.prepare(`select * from ${table}`).all())
  expect(read('mail_server')).toMatchObject([{ sealed_password: expect.stringMatching(/^[0-9a-f]{8}\./) }])
  expect(JSON.stringify([read('mail_server'), read('settings')])).not.toContain(login.password)
})

test('a stored password is used again for the same server and no other, until the user name is removed', async () => {
  const { mailServer, place } = await startLoginServer()
  const { admin } = shared
  const server = { ...place, security: 'starttls', user_name: login.user_name }
  await admin.put(path, { server: { ...server, ...login } })
  expect((await admin.put(path, { server })).body.server).toMatchObject({ has_password: true })
  expect((await admin.post(`${path}/test`, { to: 'ana@example.com', server })).body).toMatchObject({ is_sent: true })
  await mailServer.receive(1)
  for (const other of [{ host: '127.0.0.1' }, { port: 587 }, { security: 'none' }, { user_name: 'eva' }]) {
    expectInvalidField(await admin.put(path, { server: { ...server, ...other } }), 'server.password')
    const body = { to: 'ana@example.com', server: { ...server, ...other } }
    expectInvalidField(await admin.post(`${path}/test`, body), 'server.password')
  }
  expect((await admin.get(path)).body.server).toEqual({ ...server, has_password: true })

  const removed = (await admin.put(path, { server: place })).body.server
  expect(removed).toMatchObject({ user_name: null, has_password: false })
  const stored = readDatabase(shared, (opened) => opened.prepare('select sealed_password from mail_server').all())
  expect(stored).toEqual([{ sealed_password: null }])
})

test('invalid values are rejected by field, and change nothing', async () => {
  const { admin } = shared
  const server = { host: 'mail.example.com', port: 587, security: 'starttls' }
  const invalid: Array<[string, unknown]> = [
    ['server.port', { server: { ...server, port: 22 } }],
    ['server.host', { server: { ...server, host: 'http://mail.example.com' } }],
    ['server.host', { server: { ...server, host: '' } }],
    ['server.security', { server: { ...server, security: 'ssl' } }],
    ['server.password', { server: { ...server, user_name: 'ana' } }],
    ['server.user_name', { server: { ...server, password: 'secret' } }],
    ['server.user_name', { server: { ...server, user_name: 'ana\r\nRCPT TO', password: 'secret' } }],
    ['sender', { sender: 'Ana\r\nBcc: <eva@example.com>' }],
  ]
  for (const [field, body] of invalid) expectInvalidField(await admin.put(path, body), field)
  expectInvalidField(await admin.post(`${path}/test`, { to: 'nobody', server }), 'to')
  expect((await admin.get(path)).body).toMatchObject({ server: null, sender: null })
})

test('mails written without a mail server are sent on request, except those whose secret was erased', async () => {
  const { mailServer, place } = await startServer()
  const service = await serviceForTest()
  const change = async (body: object) => (await service.admin.put(path, body)).body.sendable_mails
  const kept = ['kept', 'kept', 'kept']
  const statuses = async () => (await listStatuses(service)).map(([, status]: [string, string]) => status)
  await createEvent(service.api, { customer_email: 'ana@example.com' })
  await createEvent(service.api, { customer_email: 'ben@example.com', require_password: true, password: 'tulips-1' })
  // The mail about these picks is for `admin@localhost`, the address of the first account until an operator changes it.
  const picked = await createEvent(service.api)
  const [photo] = await uploadPhotos(service.api, picked.id, 1)
  const guest = await enterAsGuest(service, picked)
  await guest.post(`/api/gallery/${picked.slug}/photos/${photo}/feedback`, { feedback_type: 'favorite' })
  await guest.post(`/api/gallery/${picked.slug}/selection`, {})
  expect((await service.admin.get(path)).body.sendable_mails).toBe(1)
  expect([await change({ server: place }), await statuses()]).toEqual([1, kept])
  expect([await change({ server: null, send_kept: true }), await statuses()]).toEqual([1, kept])
  expect(await change({ server: place, send_kept: true })).toBe(0)
  expect((await mailServer.receive(1)).map(({ recipients }) => recipients)).toEqual([['ana@example.com']])
  await expect.poll(statuses).toEqual(['kept', 'kept', 'sent'])
})

test('mails that wait for a later attempt leave as soon as the mail server is corrected', async () => {
  const { mailServer, place } = await startServer()
  const clock = createMovableClock()
  const service = await serviceForTest({ edges: { clock } })
  await service.admin.put(path, { server: { ...mailPortAddress(), security: 'none' } })
  await createEvent(service.api, { customer_email: 'ana@example.com', require_password: true, password: 'tulips-1' })
  const newest = async () => (await service.admin.get('/api/admin/mail/outbox')).body.mails[0]
  const failed = (attempts: number) => ({ status: 'queued', attempts, last_error: expect.stringMatching(/REFUSED/) })
  await expect.poll(newest).toMatchObject(failed(1))
  clock.advance(70_000)
  await createEvent(service.api)
  await expect.poll(newest).toMatchObject(failed(2))
  // The second attempt has ended, so the mail waits for five minutes.
  const waitMs = async () => Date.parse((await newest()).next_attempt_at) - clock.now()
  await expect.poll(waitMs).toBeGreaterThan(200_000)
  await service.admin.put(path, { server: place })
  const [mail] = await mailServer.receive(1)
  expect(mail?.text).toContain('tulips-1')
  await expect.poll(newest).toMatchObject({ status: 'sent' })
})

test('the environment has priority, is shown without credentials, and cannot be changed', async () => {
  const { mailServer } = await startServer()
  const user = encodeURIComponent('ana@example.com')
  const service = await serviceForTest({
    environment: {
      SMTP_URL: mailServer.url.replace('//', `//${user}:very-hidden@`),
      MAIL_FROM: 'Studio <photos@example.com>',
    },
  })
  const { body } = await service.admin.get(path)
  const shown = { host: expect.any(String), port: 2525, security: null, user_name: null, has_password: true }
  expect(body).toEqual({
    ...{ server: shown, server_source: 'environment', sendable_mails: 0 },
    ...{ sender: 'Studio <photos@example.com>', sender_source: 'environment' },
    ...{ used_sender: 'photos@example.com', derived_sender: 'photos@example.com' },
  })
  const server = { host: 'mail.example.com', port: 25, security: 'none' }
  for (const change of [{ server }, { server: null }, { sender: 'eva@example.com' }]) {
    const rejected = await service.admin.put(path, change)
    expectProblem(rejected, 409, 'INVALID_STATE')
    expect(rejected.body.error).toMatch(/^(SMTP_URL|MAIL_FROM) in the environment sets/)
  }
  expectProblem(await service.admin.post(`${path}/test`, { to: 'ana@example.com', server }), 409, 'INVALID_STATE')
})

describe('POST /api/admin/mail/server/test', () => {
  test('sends through entered values, and stores nothing', async () => {
    const { mailServer, place } = await startLoginServer()
    const { admin } = shared
    expectProblem(await admin.post(`${path}/test`, { to: 'ana@example.com' }), 409, 'INVALID_STATE')
    const to = 'ana@example.com'
    const body = { to, server: { ...place, security: 'starttls', ...login }, sender: 'a@example.com' }
    const sent = { to, is_sent: true, problem: null, failure: null }
    expect((await admin.post(`${path}/test`, body)).body).toEqual(sent)
    const [mail] = await mailServer.receive(1)
    expect([mail?.recipients, mail?.envelopeFrom]).toEqual([['ana@example.com'], 'a@example.com'])
    expect((await admin.get(path)).body).toMatchObject({ server: null, sender: null })
    expect((await admin.get('/api/admin/mail/outbox')).body.mails).toEqual([])
  })

  test('names the kind of the failure, and hides the password', async () => {
    const { place } = await startLoginServer()
    const { admin } = shared
    const server = { ...place, security: 'starttls', ...login, password: 'wrong-secret' }
    const wrong = await admin.post(`${path}/test`, { to: 'ana@example.com', server })
    expect(wrong.body).toMatchObject({ is_sent: false, failure: 'sign_in', problem: expect.stringContaining('535') })
    expect(JSON.stringify(wrong.body)).not.toContain('wrong-secret')
    const closed = { ...mailPortAddress(), security: 'none' }
    const refused = await admin.post(`${path}/test`, { to: 'ana@example.com', server: closed })
    expect(refused.body).toMatchObject({ is_sent: false, failure: 'connection_refused' })
  })

  test('is limited for each account, together with the test mail to the own address', async () => {
    const { mailServer } = await startServer()
    const service = await serviceForTest({
      environment: { SMTP_URL: mailServer.url, RATE_LIMIT: 'on' },
      edges: { maxRequests: { testMails: 2 } },
    })
    const colleague = await createAccount(service, 'super_admin')
    const ask = (admin = service.admin) => admin.post(`${path}/test`, { to: 'ana@example.com' })
    expect((await ask()).status).toBe(200)
    expect((await service.admin.post('/api/admin/mail/test', {})).status).toBe(200)
    expectRateLimited(await ask(), 600)
    expect((await ask(colleague.admin)).status).toBe(200)
  })
})
