import type { NodemailerError, Transporter } from 'nodemailer'
import type { MailFailure } from '../../../contract/instance/mail.ts'
import { inSnapshot } from '../database/transaction.ts'
import type { PlatformContext } from '../platform-context.ts'
import { seconds } from '../time/clock.ts'
import { type MailAddress, parseMailAddress, type SmtpServer } from './mail-config.ts'
import { decryptServer, findMailServerRow, storedServerOf } from './mail-server-rows.ts'
import type { Mailer, MailRoute, OutgoingMail, SendOutcome } from './mailer.ts'

type MailerContext = Pick<PlatformContext, 'config' | 'db' | 'encryption'>

const maxReasonCharacters = 300

/**
 * Uses SMTP_URL, else the mail server that was entered in the admin app. It is read for each mail, so that a change
 * applies at once on all nodes. Without a mail server, mails are stored and can be read in the outbox.
 */
export function createMailer(ctx: MailerContext, readPublicUrl: () => Promise<string | null>): Mailer {
  const { config, db } = ctx

  /** Throws if the password cannot be decrypted. */
  async function readRoute(): Promise<MailRoute | null> {
    const isInEnvironment = config.smtp !== null && config.mailFrom !== null
    const row = isInEnvironment ? undefined : await inSnapshot(db, findMailServerRow)
    const stored = storedServerOf(row)
    const server = config.smtp ?? (stored && decryptServer(ctx, stored))
    if (!server) return null
    const sender = row?.sender ? parseMailAddress(row.sender) : null
    return { server, sender: await mailer.resolveSender(sender, server.login) }
  }

  const mailer: Mailer = {
    newStatus: async (db) => (config.smtp || storedServerOf(await findMailServerRow(db)) ? 'queued' : 'kept'),

    async send(mail, signal) {
      let route: MailRoute | null
      try {
        route = await readRoute()
      } catch {
        const reason = 'The password of the mail server cannot be decrypted because ENCRYPTION_KEY has changed.'
        return { result: 'failed', failure: 'unreadable_secret', reason }
      }
      if (route) return sendThrough(route, mail, signal)
      return { result: 'failed', failure: 'not_configured', reason: 'No mail server is configured.' }
    },

    sendThrough,

    /** MAIL_FROM, else `sender`, else the user, else `noreply` at the host of the public address, else ADMIN_EMAIL. */
    async resolveSender(sender, login) {
      if (config.mailFrom) return config.mailFrom
      if (sender) return sender
      if (login?.user.includes('@')) return { name: null, address: login.user }
      const publicUrl = await readPublicUrl()
      return { name: null, address: publicUrl ? `noreply@${new URL(publicUrl).hostname}` : config.adminEmail }
    },
  }
  return mailer
}

/** Sends without reading the configuration. */
export async function sendThrough(
  { server, sender }: MailRoute,
  mail: OutgoingMail,
  signal: AbortSignal,
): Promise<SendOutcome> {
  try {
    const transport = await openTransport(server)
    await transport.sendMail({ ...toMessage(mail, sender), signal })
    return { result: 'sent' }
  } catch (error) {
    return toOutcome(error as NodemailerError, [mail.credential, server.login?.password])
  }
}

/** Imports nodemailer with the first mail, because most processes send no mail. */
export async function openTransport(server: SmtpServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password } }),
    requireTLS: server.startTls === 'required',
    ignoreTLS: server.startTls === 'off',
    tls: { rejectUnauthorized: server.verifiesCertificate },
    connectionTimeout: seconds(15),
    greetingTimeout: seconds(15),
    socketTimeout: seconds(30),
  })
}

function toMessage(mail: OutgoingMail, { name, address }: MailAddress) {
  return {
    messageId: `<${mail.messageId}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    from: { name: name ?? mail.senderName ?? 'Proofroom', address },
    to: { name: '', address: mail.to },
    ...(mail.replyTo && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    attachments: (mail.pictures ?? []).map(({ id, jpeg }) => ({
      cid: id,
      content: jpeg,
      contentType: 'image/jpeg',
      contentDisposition: 'inline' as const,
    })),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A 5xx response about the recipient or the message, except 503, is permanent. Other errors can pass or be fixed. */
function toOutcome(error: NodemailerError, secrets: Array<string | null | undefined>): SendOutcome {
  const code = error.responseCode ?? 0
  const isAboutThisMail = error.command === 'RCPT TO' || error.command === 'DATA'
  // 503 means a wrong sequence of commands, not a wrong mail.
  const isPermanent = isAboutThisMail && code >= 500 && code < 600 && code !== 503
  return {
    result: isPermanent ? 'refused' : 'failed',
    failure: classifyFailure(error),
    reason: formatReason(error, secrets),
  }
}

/** Leaves out the response to a failed sign-in, which may quote the credentials. */
function formatReason(error: NodemailerError, secrets: Array<string | null | undefined>): string {
  const { code, responseCode, response, message } = error
  if (code === 'EAUTH') return `The mail server rejected the sign-in (${responseCode ?? 'no response'}).`
  if (code === 'EABORT') return 'The mail server did not accept the email in time.'
  const fullReason = response ? `The mail server responded: ${response}` : `The email could not be sent: ${message}`
  const maskedReason = secrets.reduce<string>(
    (text, secret) => (secret ? text.replaceAll(secret, '••••••') : text),
    fullReason,
  )
  return maskedReason.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxReasonCharacters)
}

type SmtpError = Partial<Pick<NodemailerError, 'code' | 'command' | 'message'>>

/** In this order, because the code of nodemailer is the same for many errors of a socket. */
const kinds: Array<[kind: MailFailure, matches: (error: Required<SmtpError>) => boolean]> = [
  ['sign_in', ({ code }) => code === 'EAUTH' || code === 'ENOAUTH'],
  ['sender_rejected', ({ command }) => command === 'MAIL FROM'],
  ['recipient_rejected', ({ command }) => command === 'RCPT TO'],
  ['certificate', ({ message }) => /certificate|altnames|self.signed/i.test(message)],
  ['unknown_host', ({ code, message }) => code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message)],
  ['connection_refused', ({ message }) => /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(message)],
  [
    'no_encryption',
    ({ code, message }) => code === 'ETLS' || /STARTTLS|wrong version number|packet length/i.test(message),
  ],
  ['timeout', ({ code }) => code === 'ETIMEDOUT' || code === 'EABORT'],
]

/** Returns the kind of an error of nodemailer. */
function classifyFailure({ code = '', command = '', message = '' }: SmtpError): MailFailure {
  return kinds.find(([, matches]) => matches({ code, command, message }))?.[0] ?? 'other'
}
