import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { mailServerForTest, smtpError } from '../../../tests/support/network/mail-server.ts'
import type { SmtpServer } from './mail-config.ts'
import type { OutgoingMail } from './mailer.ts'
import { sendThrough } from './smtp-mailer.ts'

const mail: OutgoingMail = {
  messageId: 'test-1',
  to: 'ana@example.com',
  replyTo: null,
  senderName: null,
  subject: 'Test',
  text: 'Test',
  html: '<p>Test</p>',
  credential: null,
}
const sender = { name: null, address: 'studio@example.com' }
const plain = { isSecure: false, startTls: 'off', verifiesCertificate: true, login: null } as const
const send = (server: SmtpServer, signal = AbortSignal.timeout(60_000)) => sendThrough({ server, sender }, mail, signal)
const local = (port: number, options: Partial<SmtpServer> = {}): SmtpServer => {
  return { ...plain, host: '127.0.0.1', port, ...options }
}

test('a failure is sign_in for a wrong password, which the reason does not contain', async () => {
  const { port } = await mailServerForTest({
    allowInsecureAuth: true,
    authOptional: false,
    onAuth: ({ password }, _session, done) => done(null, { message: `No entry with ${password}` } as never),
  })
  const outcome = await send(local(port, { login: { user: 'ana', password: 'hidden-secret' } }))
  expect(outcome).toMatchObject({ result: 'failed', failure: 'sign_in' })
  expect(JSON.stringify(outcome)).not.toContain('hidden-secret')
})

test('a failure is no_encryption if the server offers no STARTTLS, or no TLS', async () => {
  const { port } = await mailServerForTest()
  expect(await send(local(port, { startTls: 'required' }))).toMatchObject({ failure: 'no_encryption' })
  expect(await send(local(port, { isSecure: true }))).toMatchObject({ failure: 'no_encryption' })
})

test('a failure is certificate for a certificate that is not valid', async () => {
  const { port, received } = await mailServerForTest({ disabledCommands: [] })
  expect(await send(local(port, { startTls: 'required' }))).toMatchObject({ failure: 'certificate' })
  expect(received).toEqual([])
  const unverified = { startTls: 'required', verifiesCertificate: false } as const
  expect(await send(local(port, unverified))).toEqual({ result: 'sent' })
})

test('a failure is connection_refused if nothing listens', async () => {
  const server = await mailServerForTest()
  await server.stop()
  expect(await send(local(server.port))).toMatchObject({ failure: 'connection_refused' })
})

test('a failure is unknown_host for a name without an address', async () => {
  // A label may have 63 characters, so no name server is asked.
  const host = `${'a'.repeat(64)}.example`
  expect(await send({ ...plain, host, port: 25 })).toMatchObject({ failure: 'unknown_host' })
})

test('a failure is timeout if the server does not answer in time', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as { port: number }
  const gaveUp = new AbortController()
  silent.on('connection', (socket) => {
    socket.on('error', () => {})
    gaveUp.abort()
  })
  expect(await send(local(port), gaveUp.signal)).toMatchObject({ failure: 'timeout' })
})

test('a failure is about the sender or the recipient', async () => {
  const from = await mailServerForTest({ onMailFrom: (_one, _session, done) => done(smtpError(553, 'Not allowed')) })
  expect(await send(local(from.port))).toMatchObject({ result: 'failed', failure: 'sender_rejected' })
  const to = await mailServerForTest({ onRcptTo: (_one, _session, done) => done(smtpError(550, 'Unknown')) })
  expect(await send(local(to.port))).toMatchObject({ result: 'refused', failure: 'recipient_rejected' })
})
