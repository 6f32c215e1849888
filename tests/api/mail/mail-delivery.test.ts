import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { MailRecord } from '../../../contract/instance/mail.ts'
import type { MailRow } from '../../../server/platform/mail/mail-rows.ts'
import { pruneMails } from '../../../server/platform/mail/queue-mail.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { mailServerForTest, smtpError, startMailServer } from '../../support/network/mail-server.ts'
import { reservePort } from '../../support/run/reserved-port.ts'
import { createMovableClock, serviceForTest, type TestService } from '../../support/service/test-service.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const listOutbox = async ({ admin }: TestService): Promise<MailRecord[]> =>
  (await admin.get('/api/admin/mail/outbox')).body.mails

const expectNewest = (service: TestService, expected: Partial<MailRecord>) =>
  expect.poll(async () => (await listOutbox(service))[0]).toMatchObject(expected as Record<string, unknown>)

/** Any operation that may write a mail wakes the delivery, which then checks the clock. */
const triggerDelivery = ({ api }: TestService) => createEvent(api)

const storedCredentials = (service: TestService): unknown[] =>
  readDatabase(service, (stored) => stored.prepare('select credential from mails order by id').pluck().all())

describe('a mail rejected by the mail server', () => {
  test('temporarily (4xx) is retried after 1, 5 and 30 minutes, 2, 5, 10 and 10 hours, then given up', async () => {
    const clock = createMovableClock()
    let appErrors = 0
    const mailServer = await mailServerForTest({
      onRcptTo(_address, _session, done) {
        appErrors++
        done(smtpError(450, 'Greylisted, come back later'))
      },
    })
    const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url }, edges: { clock } })
    const password = 'tulips and roses'
    await createEvent(service.api, { customer_email: 'ana@example.com', require_password: true, password })
    // Reads the database, because the session of the admin ends before the last attempt.
    const row = () => readDatabase(service, (stored) => stored.prepare('select * from mails').get()) as MailRow
    const msUntilNextAttempt = () => (row().next_attempt_at ?? 0) - clock.now()
    const waitsMs = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
    for (const [index, waitMs] of waitsMs.entries()) {
      await expect.poll(() => appErrors).toBe(index + 1)
      // Until the outcome of an attempt is stored, `next_attempt_at` is the end of its claim, 80 seconds later.
      await expect.poll(() => Math.abs(msUntilNextAttempt() / waitMs - 1)).toBeLessThan(0.15)
      expect(row()).toMatchObject({ status: 'queued', attempts: index + 1, last_error: expect.stringContaining('450') })
      expect(row().credential).toMatch(/^[0-9a-f]{8}\./)
      clock.advance(msUntilNextAttempt() - 5000)
      // The second operation runs after everything that the first one started.
      for (let count = 0; count < 2; count++) await triggerDelivery(service)
      expect(row().attempts).toBe(index + 1)
      clock.advance(6000)
      await triggerDelivery(service)
    }
    await expect.poll(row).toMatchObject({ status: 'failed', attempts: 8, next_attempt_at: null, credential: null })
  })

  test('temporarily and accepted later is sent once', async () => {
    const clock = createMovableClock()
    let isGreylisting = true
    const mailServer = await mailServerForTest({
      onRcptTo: (_address, _session, done) => done(isGreylisting ? smtpError(451, 'Later') : null),
    })
    const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url }, edges: { clock } })
    const body = { customer_email: 'ana@example.com', require_password: true, password: 'tulips and roses' }
    await createEvent(service.api, body)
    await expectNewest(service, { attempts: 1, status: 'queued', last_error: expect.stringContaining('451') })
    isGreylisting = false
    clock.advance(2 * minute)
    await triggerDelivery(service)
    await expectNewest(service, { attempts: 2, status: 'sent', last_error: null, sent_at: expect.any(String) })
    expect(mailServer.received).toHaveLength(1)
    expect(mailServer.received[0]?.text).toContain('tulips and roses')
    expect(storedCredentials(service)).toEqual([null])
  })

  test('permanently, with a 5xx for the recipient, is not retried', async () => {
    const mailServer = await mailServerForTest({
      onRcptTo: (_address, _session, done) => done(smtpError(550, '5.1.1 No such user here')),
    })
    const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    await createEvent(service.api, { customer_email: 'nobody@example.com' })
    await expectNewest(service, {
      status: 'failed',
      attempts: 1,
      last_error: 'The mail server responded: 550 5.1.1 No such user here',
    })
  })

  test('permanently, with its password in the reason, does not reveal the password', async () => {
    const mailServer = await mailServerForTest({
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => done(smtpError(554, 'Spam: "tulips and roses"\r\n554 Bye')))
      },
    })
    const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    const body = { customer_email: 'ana@example.com', require_password: true, password: 'tulips and roses' }
    await createEvent(service.api, body)
    await expectNewest(service, { status: 'failed', last_error: expect.stringContaining('••••••') })
    expect(JSON.stringify(await listOutbox(service))).not.toContain('tulips')
    expect(storedCredentials(service)).toEqual([null])
  })

  test('for its sender is retried, because MAIL_FROM can be corrected', async () => {
    const mailServer = await mailServerForTest({
      onMailFrom: (_address, _session, done) => done(smtpError(553, 'Sender not allowed')),
    })
    const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    await createEvent(service.api, { customer_email: 'ana@example.com' })
    await expectNewest(service, { status: 'queued', attempts: 1, last_error: expect.stringContaining('553') })
  })
})

describe('a mail server that requires a sign-in', () => {
  const login = { user: 'studio@example.com', password: 'p@ss/wörd' }
  const startLoginMailServer = () =>
    mailServerForTest({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        const isLoginCorrect = username === login.user && password === login.password
        done(null, isLoginCorrect ? { user: username } : { message: `No entry with ${password}` })
      },
    })
  const createSmtpUrl = (port: number, password: string) =>
    `smtp://${encodeURIComponent(login.user)}:${encodeURIComponent(password)}@127.0.0.1:${port}`

  test('gets user and password of SMTP_URL, and the user is the sender', async () => {
    const mailServer = await startLoginMailServer()
    const service = await serviceForTest({ environment: { SMTP_URL: createSmtpUrl(mailServer.port, login.password) } })
    await createEvent(service.api, { customer_email: 'ana@example.com' })
    const [mail] = await mailServer.receive(1)
    expect(mail?.envelopeFrom).toBe('studio@example.com')
    expect(mail?.from?.address).toBe('studio@example.com')
  })

  test('and rejects it leaves the mail queued, and the password hidden', async () => {
    const mailServer = await startLoginMailServer()
    const service = await serviceForTest({ environment: { SMTP_URL: createSmtpUrl(mailServer.port, 'wrong-secret') } })
    await createEvent(service.api, { customer_email: 'ana@example.com' })
    await expectNewest(service, {
      status: 'queued',
      attempts: 1,
      last_error: 'The mail server rejected the sign-in (535).',
    })
    expect(JSON.stringify(await listOutbox(service))).not.toContain('wrong-secret')
  })
})

test('encryption is used if the mail server offers it, on this machine with any certificate', async () => {
  const mailServer = await mailServerForTest({ disabledCommands: [] })
  const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
  await createEvent(service.api, { customer_email: 'ana@example.com' })
  const [mail] = await mailServer.receive(1)
  expect(mail?.isEncrypted).toBe(true)
})

test('a mail server that was down gets the mail when it is up again', async () => {
  const clock = createMovableClock()
  const port = await reservePort()
  const service = await serviceForTest({ environment: { SMTP_URL: `smtp://127.0.0.1:${port}` }, edges: { clock } })
  await createEvent(service.api, { customer_email: 'ana@example.com' })
  await expectNewest(service, { status: 'queued', attempts: 1, last_error: expect.stringContaining('ECONNREFUSED') })
  const mailServer = await startMailServer({ port })
  onTestFinished(mailServer.stop)
  clock.advance(2 * minute)
  await triggerDelivery(service)
  await mailServer.receive(1)
  await expectNewest(service, { status: 'sent', attempts: 2 })
})

test('a mail server that never responds delays neither requests nor the shutdown', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  const service = await serviceForTest({ environment: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  for (let count = 0; count < 6; count++) await createEvent(service.api, { customer_email: `c${count}@example.com` })
  expect((await listOutbox(service)).map(({ status }) => status)).toEqual(Array(6).fill('queued'))
  await expect.poll(() => sockets.length).toBe(4)

  await service.stop()
  // A request that waits for the mail server would exceed this timeout.
})

test('an attempt interrupted by a shutdown is repeated at the next start, and is not counted as failed', async () => {
  let isHanging = true
  const mailServer = await mailServerForTest({
    onRcptTo(_address, _session, done) {
      if (!isHanging) done()
    },
  })
  const environment = { SMTP_URL: mailServer.url }
  const data = await serviceForTest()
  const first = await serviceForTest({ environment: { ...environment, DATA_DIR: data.dataDir } })
  await createEvent(first.api, { customer_email: 'ana@example.com' })
  await expect.poll(async () => (await listOutbox(first))[0]?.attempts).toBe(1)
  await first.stop()
  isHanging = false
  const second = await serviceForTest({ environment: { ...environment, DATA_DIR: data.dataDir } })
  await mailServer.receive(1)
  await expectNewest(second, { status: 'sent', attempts: 1, last_error: null })
})

test('a recipient whose response is slow does not delay the others', async () => {
  const mailServer = await mailServerForTest({
    onRcptTo({ address }, _session, done) {
      if (!address.startsWith('slow')) done()
    },
  })
  const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
  await createEvent(service.api, { customer_email: 'slow@example.com' })
  for (let count = 0; count < 10; count++) await createEvent(service.api, { customer_email: `c${count}@example.com` })
  await mailServer.receive(10)
  await service.stop()
})

test('two processes with one database send every mail once', async () => {
  const mailServer = await mailServerForTest()
  const one = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
  await serviceForTest({ environment: { SMTP_URL: mailServer.url, DATA_DIR: one.dataDir } })
  const addresses = Array.from({ length: 30 }, (_, index) => `c${index}@example.com`)
  await Promise.all(addresses.map((customer_email) => createEvent(one.api, { customer_email })))
  await mailServer.receive(30)
  await expect
    .poll(async () =>
      (await one.admin.get('/api/admin/mail/outbox?limit=100')).body.mails.map((mail: MailRecord) => mail.status),
    )
    .toEqual(Array(30).fill('sent'))
  expect(mailServer.received.flatMap(({ recipients }) => recipients).sort()).toEqual(addresses.sort())
  const ids = mailServer.received.map(({ messageId }) => messageId)
  expect(new Set(ids).size).toBe(30)
})

describe('old mail', () => {
  test('that was not sent within 7 days has failed, and its credential is erased', async () => {
    const clock = createMovableClock()
    const mailServer = await mailServerForTest({
      onRcptTo: (_address, _session, done) => done(smtpError(450, 'Later')),
    })
    const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url }, edges: { clock } })
    const body = { customer_email: 'ana@example.com', require_password: true, password: 'tulips and roses' }
    await createEvent(service.api, body)
    await expectNewest(service, { attempts: 1, last_error: expect.stringContaining('450') })
    const prune = () => withAppContext(service, (ctx) => pruneMails({ ...ctx, clock }))
    clock.advance(7 * day - minute)
    await prune()
    const states = () => readDatabase(service, (stored) => stored.prepare('select status from mails').pluck().all())
    expect(storedCredentials(service)).toEqual([expect.any(String)])
    clock.advance(2 * minute)
    await prune()
    expect(storedCredentials(service)).toEqual([null])
    expect(states()).toEqual(['failed'])
    clock.advance(90 * day)
    await prune()
    expect(states()).toEqual([])
  })

  test('that was sent is removed after 90 days and not before', async () => {
    const clock = createMovableClock()
    const mailServer = await mailServerForTest()
    const service = await serviceForTest({ environment: { SMTP_URL: mailServer.url }, edges: { clock } })
    await createEvent(service.api, { customer_email: 'ana@example.com' })
    await expectNewest(service, { status: 'sent' })
    const prune = () => withAppContext(service, (ctx) => pruneMails({ ...ctx, clock }))
    const states = () => readDatabase(service, (stored) => stored.prepare('select status from mails').pluck().all())
    clock.advance(90 * day - minute)
    await prune()
    expect(states()).toEqual(['sent'])
    clock.advance(2 * minute)
    await prune()
    expect(states()).toEqual([])
  })
})
