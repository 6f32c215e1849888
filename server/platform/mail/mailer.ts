import type { Config } from '../config.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

/** A mail as it goes out, credentials put in. */
export type OutgoingMail = {
  /** The same at every attempt: whoever gets a mail twice after a crash can tell. */
  messageId: string
  to: string
  replyTo: string | null
  senderName: string | null
  subject: string
  text: string
  html: string
  /** What the mail server may quote in its answer and nobody is to read there. */
  credential: string | null
}

/** `refused`: trying again is of no use. `reason` is a sentence without secrets. */
export type Outcome = { result: 'sent' } | { result: 'refused' | 'failed'; reason: string }

/** Sends mail. */
export type Mailer = {
  /** What becomes of a mail that is written now. */
  newStatus: 'queued' | 'kept'
  /** Takes at most as long as the signal lets it. Never throws for what the mail server does or says. */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<Outcome>
}

/** By SMTP where SMTP_URL names a server, else none: mail is kept and read in the outbox. */
export const createMailer = (config: Config): Mailer =>
  config.smtp ? createSmtpMailer(config, config.smtp) : outboxOnly

const outboxOnly: Mailer = {
  newStatus: 'kept',
  send: async () => ({ result: 'failed', reason: 'No mail server is configured.' }),
}
