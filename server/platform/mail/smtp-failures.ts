import type { NodemailerError } from 'nodemailer'
import type { MailFailure } from '../../../contract/instance/mail.ts'

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
export function classifyFailure({ code = '', command = '', message = '' }: SmtpError): MailFailure {
  return kinds.find(([, matches]) => matches({ code, command, message }))?.[0] ?? 'other'
}
