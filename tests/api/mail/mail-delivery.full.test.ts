import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { MailRow } from '../../../server/platform/mail/mail-rows.ts'
import { pruneMails } from '../../../server/platform/mail/queue-mail.ts'
import { days, hours, minutes } from '../../../server/platform/time/clock.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { mailServerForFile, mailServerForTest, smtpError } from '../../support/network/mail-server.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const password = 'tulips and roses'

/** What the mail server responds to a recipient. Otherwise it accepts the mail. */
const responses = new Map<string, Error>()
const mailServer = await mailServerForFile({
  onRcptTo: ({ address }, _session, done) => done(responses.get(address)),
})
const clock = createMovableClock()
const service = await serviceForFile({ environment: { SMTP_URL: mailServer.url }, edges: { clock } })

/** Reads the database, because the session of the admin ends before the last attempt. */
const listRows = (address: string): MailRow[] =>
  readDatabase(service, (stored) => stored.prepare('select * from mails where recipient = ?').all(address)) as MailRow[]
const getRow = (address: string) => listRows(address)[0] as MailRow
const createProtected = (customer_email: string) =>
  createEvent(service.api, { customer_email, require_password: true, password })
/** Any operation that may write a mail wakes the delivery, which then checks the clock. */
const triggerDelivery = () => createEvent(service.api)
const listReceived = (address: string) => mailServer.received.filter(({ recipients }) => recipients.includes(address))

describe('a mail rejected by the mail server', () => {
  test('temporarily (4xx) is retried after 1, 5 and 30 minutes, 2, 5, 10 and 10 hours, then given up', {
    tags: 'nightly',
  }, async () => {
    const to = 'given-up@example.com'
    responses.set(to, smtpError(450, 'Greylisted, come back later'))
    await createProtected(to)
    const row = () => getRow(to)
    const msUntilNextAttempt = () => (row().next_attempt_at ?? 0) - clock.now()
    const waitsMs = [minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)]
    for (const [index, waitMs] of waitsMs.entries()) {
      const last_error = expect.stringContaining('450')
      await expect.poll(row).toMatchObject({ status: 'queued', attempts: index + 1, last_error })
      // Until the outcome of an attempt is stored, `next_attempt_at` is the end of its claim, 80 seconds later.
      await expect.poll(() => Math.abs(msUntilNextAttempt() / waitMs - 1)).toBeLessThan(0.15)
      expect(row().credential).toMatch(/^[0-9a-f]{8}\./)
      clock.advance(msUntilNextAttempt() - 5000)
      // The second operation runs after everything that the first one started.
      for (let count = 0; count < 2; count++) await triggerDelivery()
      expect(row().attempts).toBe(index + 1)
      clock.advance(6000)
      await triggerDelivery()
    }
    await expect.poll(row).toMatchObject({ status: 'failed', attempts: 8, next_attempt_at: null, credential: null })
  })

  test('temporarily and accepted later is sent once', { tags: 'database' }, async () => {
    const to = 'later@example.com'
    responses.set(to, smtpError(451, 'Later'))
    await createProtected(to)
    const last_error = expect.stringContaining('451')
    await expect.poll(() => getRow(to)).toMatchObject({ attempts: 1, status: 'queued', last_error })
    responses.delete(to)
    clock.advance(minutes(2))
    await triggerDelivery()
    const sent = { attempts: 2, status: 'sent', last_error: null, sent_at: expect.any(Number), credential: null }
    await expect.poll(() => getRow(to)).toMatchObject(sent)
    expect(listReceived(to).map(({ text }) => text)).toEqual([expect.stringContaining(password)])
  })

  test('permanently (5xx) is not retried, and the stored reason hides its password', async () => {
    const to = 'nobody@example.com'
    responses.set(to, smtpError(550, `5.1.1 No such user here: "${password}"`))
    await createProtected(to)
    const last_error = 'The mail server responded: 550 5.1.1 No such user here: "••••••"'
    await expect.poll(() => getRow(to)).toMatchObject({ status: 'failed', attempts: 1, last_error, credential: null })
    expect(JSON.stringify(getRow(to))).not.toContain('tulips')
  })
})

test('old mail is not sent after 7 days, its credential is erased, and it is removed after 90 days', async () => {
  const [unsent, sent] = ['unsent@example.com', 'sent@example.com']
  responses.set(unsent, smtpError(450, 'Later'))
  await createProtected(unsent)
  await createProtected(sent)
  await expect.poll(() => getRow(unsent).last_error).toContain('450')
  await expect.poll(() => getRow(sent).status).toBe('sent')
  const prune = () => withAppContext(service, (ctx) => pruneMails({ ...ctx, clock }))
  clock.advance(days(7) - minutes(1))
  await prune()
  expect(getRow(unsent).credential).toEqual(expect.any(String))
  clock.advance(minutes(2))
  await prune()
  expect(getRow(unsent)).toMatchObject({ status: 'failed', credential: null })
  clock.advance(days(83) - minutes(2))
  await prune()
  expect(getRow(sent).status).toBe('sent')
  clock.advance(minutes(2))
  await prune()
  expect([...listRows(sent), ...listRows(unsent)]).toEqual([])
})

test('user and password of SMTP_URL sign in, with encryption if it is offered, and the user is the sender', async () => {
  const login = { user: 'studio@example.com', password: 'p@ss/wörd' }
  const { port, receive } = await mailServerForTest({
    authOptional: false,
    disabledCommands: [],
    onAuth({ username, password }, _session, done) {
      const isCorrect = username === login.user && password === login.password
      done(null, isCorrect ? { user: username } : { message: 'No entry' })
    },
  })
  const [user, secret] = [login.user, login.password].map(encodeURIComponent)
  const own = await serviceForTest({ environment: { SMTP_URL: `smtp://${user}:${secret}@127.0.0.1:${port}` } })
  await createEvent(own.api, { customer_email: 'ana@example.com' })
  const [mail] = await receive(1)
  expect([mail?.isEncrypted, mail?.envelopeFrom, mail?.from?.address]).toEqual([true, login.user, login.user])
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
  const own = await serviceForTest({ environment: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  for (let count = 0; count < 6; count++) await createEvent(own.api, { customer_email: `c${count}@example.com` })
  const { mails } = (await own.admin.get('/api/admin/mail/outbox')).body
  expect(mails.map(({ status }: MailRow) => status)).toEqual(Array(6).fill('queued'))
  await expect.poll(() => sockets.length).toBe(4)
  await own.stop()
  // A request that waits for the mail server would exceed the timeout of this test.
})

test('a slow recipient delays no others; its attempt is repeated after a restart, and was not a failure', {
  tags: 'nightly',
}, async () => {
  let isHanging = true
  const { url, receive } = await mailServerForTest({
    onRcptTo({ address }, _session, done) {
      if (!isHanging || !address.startsWith('slow')) done()
    },
  })
  const data = await serviceForTest()
  const environment = { SMTP_URL: url, DATA_DIR: data.dataDir }
  const first = await serviceForTest({ environment })
  await createEvent(first.api, { customer_email: 'slow@example.com' })
  for (let count = 0; count < 10; count++) await createEvent(first.api, { customer_email: `c${count}@example.com` })
  await receive(10)
  await first.stop()
  isHanging = false
  const second = await serviceForTest({ environment })
  await receive(11)
  const getOldest = async () => (await second.admin.get('/api/admin/mail/outbox')).body.mails.at(-1)
  await expect.poll(getOldest).toMatchObject({ to: 'slow@example.com', status: 'sent', attempts: 1, last_error: null })
})

test('two processes with one database send every mail once', { tags: 'nightly' }, async () => {
  const { url, received, receive } = await mailServerForTest()
  const one = await serviceForTest({ environment: { SMTP_URL: url } })
  await serviceForTest({ environment: { SMTP_URL: url, DATA_DIR: one.dataDir } })
  const addresses = Array.from({ length: 30 }, (_, index) => `c${index}@example.com`)
  await Promise.all(addresses.map((customer_email) => createEvent(one.api, { customer_email })))
  await receive(30)
  const listStatuses = async () =>
    (await one.admin.get('/api/admin/mail/outbox?limit=100')).body.mails.map(({ status }: MailRow) => status)
  await expect.poll(listStatuses).toEqual(Array(30).fill('sent'))
  expect(received.flatMap(({ recipients }) => recipients).sort()).toEqual(addresses.sort())
  expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(30)
})
