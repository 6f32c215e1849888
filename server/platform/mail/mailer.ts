export type OutgoingMail = {
  /** The same for every attempt, so that duplicates after a crash can be recognized. */
  messageId: string
  to: string
  replyTo: string | null
  senderName: string | null
  subject: string
  text: string
  html: string
  /** Masked in the `reason` of a failure, because the mail server may quote it. */
  credential: string | null
}

/** `refused`: another attempt would fail too. `reason` is a sentence without secrets. */
export type SendOutcome = { result: 'sent' } | { result: 'refused' | 'failed'; reason: string }

export type Mailer = {
  newStatus: 'queued' | 'kept'
  /** Ends when `signal` is aborted. Never throws for errors of the mail server. */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<SendOutcome>
}
