import type { NodemailerError, Transporter } from 'nodemailer'
import { seconds } from '../clock.ts'
import type { Config } from '../config.ts'
import type { MailAddress, SmtpServer } from './mail-config.ts'
import type { Mailer, OutgoingMail, SendOutcome } from './mailer.ts'

/** Without SMTP_URL no mail is sent; mails are stored and can be read in the outbox. */
export const createMailer = (config: Config): Mailer =>
  config.smtp ? createSmtpMailer(config, config.smtp) : outboxOnly

const outboxOnly: Mailer = {
  newStatus: 'kept',
  send: async () => ({ result: 'failed', reason: 'No mail server is configured.' }),
}

const maxReasonCharacters = 300

function createSmtpMailer(config: Config, server: SmtpServer): Mailer {
  const sender = resolveSender(config, server)
  let transport: Promise<Transporter> | null = null

  return {
    newStatus: 'queued',
    async send(mail, signal) {
      transport ??= openTransport(server)
      try {
        await (await transport).sendMail({ ...toMessage(mail, sender), signal })
        return { result: 'sent' }
      } catch (error) {
        return toOutcome(error as NodemailerError, [mail.credential, server.login?.password])
      }
    },
  }
}

/** Imports nodemailer with the first mail, because most processes send no mail. */
async function openTransport(server: SmtpServer): Promise<Transporter> {
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
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** MAIL_FROM, else a mail address as user of SMTP_URL, else `noreply` at the host of PUBLIC_URL, else ADMIN_EMAIL. */
function resolveSender({ mailFrom, publicUrl, adminEmail }: Config, { login }: SmtpServer): MailAddress {
  if (mailFrom) return mailFrom
  if (login?.user.includes('@')) return { name: null, address: login.user }
  return { name: null, address: publicUrl ? `noreply@${new URL(publicUrl).hostname}` : adminEmail }
}

/** A 5xx response about the recipient or the message, except 503, is permanent. Other errors can pass or be fixed. */
function toOutcome(error: NodemailerError, secrets: Array<string | null | undefined>): SendOutcome {
  const code = error.responseCode ?? 0
  const isAboutThisMail = error.command === 'RCPT TO' || error.command === 'DATA'
  // 503 means a wrong sequence of commands, not a wrong mail.
  const isPermanent = isAboutThisMail && code >= 500 && code < 600 && code !== 503
  return { result: isPermanent ? 'refused' : 'failed', reason: formatReason(error, secrets) }
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
