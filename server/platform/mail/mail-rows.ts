import type { Generated, Selectable } from 'kysely'
import type { MailKind, MailStatus } from '../../../contract/mail.ts'

/** Every mail that has been written: the queue of what is to be sent, and the outbox in which all of it is read. */
export type MailTable = {
  id: Generated<number>
  kind: MailKind
  /** The event it is about; the mail goes with it when it is deleted. */
  event_id: number | null
  recipient: string
  reply_to: string | null
  /** Who the reader thinks is writing, where MAIL_FROM has no name. */
  sender_name: string | null
  subject: string
  /** Both bodies hold `credentialMark` where the credential belongs. */
  text_body: string
  html_body: string
  /** Encrypted; erased with the sending, with the last failure, or after 7 days. */
  credential: string | null
  status: MailStatus
  attempts: number
  /** Set while it is queued alone; an attempt moves it ahead, so that no other process takes the same mail. */
  next_attempt_at: number | null
  /** Never a secret. */
  last_error: string | null
  created_at: number
  sent_at: number | null
}

declare module '../database/tables.ts' {
  interface Tables {
    mails: MailTable
  }
}

export type MailRow = Selectable<MailTable>

/** The purpose under which credentials are encrypted. */
export const credentialPurpose = 'mail credential'
