import type { MailFailure } from '../../../contract/instance/mail.ts'
import type { Database, Tx } from '../database/tables.ts'
import type { MailAddress, SmtpServer } from './mail-config.ts'

export type OutgoingMail = {
  /** The same for every attempt, so that duplicates after a crash can be recognized. */
  messageId: string
  to: string
  replyTo: string | null
  senderName: string | null
  subject: string
  text: string
  html: string
  /** Pictures that the HTML shows. */
  pictures?: MailPicture[]
  /** Masked in the `reason` of a failure, because the mail server may quote it. */
  credential: string | null
}

/** `id`: what follows `cid:` in the HTML. */
export type MailPicture = { id: string; jpeg: Buffer }

/** `refused`: another attempt would fail too. `reason` is a sentence without secrets. */
export type SendOutcome = { result: 'sent' } | { result: 'refused' | 'failed'; failure: MailFailure; reason: string }

export type MailRoute = { server: SmtpServer; sender: MailAddress }

export type Mailer = {
  /** Reads whether a mail server is configured. `db` may be a transaction. */
  newStatus: (db: Database | Tx) => Promise<'queued' | 'kept'>
  /** Uses the current mail server. Ends when `signal` is aborted. Never throws for errors of the mail server. */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<SendOutcome>
  /** The same through another server, such as one that is not stored yet. */
  sendThrough: (route: MailRoute, mail: OutgoingMail, signal: AbortSignal) => Promise<SendOutcome>
  /** Returns the sender of mails through `login` with the stored or entered `sender`; null: derived. */
  resolveSender: (sender: MailAddress | null, login: SmtpServer['login']) => Promise<MailAddress>
}
