import { randomInt } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, expect, onTestFinished } from 'vitest'

export type ReceivedMail = Email & {
  /** Recipients of the SMTP envelope, which can differ from those in the headers. */
  recipients: string[]
  envelopeFrom: string
  isEncrypted: boolean
  raw: string
}

export type MailServer = {
  /** For SMTP_URL, without user and password. */
  url: string
  port: number
  received: ReceivedMail[]
  /** Waits until at least `count` mails have arrived in total, and returns all. */
  receive: (count: number) => Promise<ReceivedMail[]>
  stop: () => Promise<void>
}

type Options = SMTPServerOptions & { port?: number; host?: string }

/** Creates an error that the server sends with this SMTP code. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })

/** A port that the admin app accepts, at an address of this machine that hardly any other test uses. */
export const mailPortAddress = () => ({ host: `127.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`, port: 2525 })

/** Starts an SMTP server on the loopback interface, by default on a free port and without encryption. */
export async function startMailServer({ port = 0, host = '127.0.0.1', ...options }: Options = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const bytes = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          ...(await PostalMime.parse(bytes)),
          recipients: rcptTo.map(({ address }) => address),
          envelopeFrom: mailFrom ? mailFrom.address : '',
          isEncrypted: session.secure,
          raw: bytes.toString(),
        })
        done()
      })
    },
    ...options,
  })
  // A client that disconnects must not fail the test.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const address = server.server.address() as { port: number }
  return {
    url: `smtp://${host}:${address.port}`,
    port: address.port,
    received,
    async receive(count) {
      await expect.poll(() => received.length).toBeGreaterThanOrEqual(count)
      return received
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

export async function mailServerForFile(options: Options = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  afterAll(server.stop)
  return server
}

export async function mailServerForTest(options: Options = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  onTestFinished(server.stop)
  return server
}
