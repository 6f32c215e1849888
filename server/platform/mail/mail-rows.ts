import type { Generated, Selectable } from 'kysely'
import type { MailKind, MailStatus } from '../../../contract/instance/mail.ts'
import type { PlatformContext } from '../platform-context.ts'
import { type EncryptedColumn, encryptedColumn } from '../security/encrypted-columns.ts'

export type MailTable = {
  id: Generated<number>
  kind: MailKind
  /** Deleting the event deletes its mails. */
  event_id: number | null
  /** The selection that the mail is about; null for other kinds. */
  selection_id: number | null
  recipient: string
  reply_to: string | null
  /** Displayed sender where MAIL_FROM has no name. */
  sender_name: string | null
  subject: string
  /** In a mail with a credential, both bodies contain `credentialPlaceholder` where the credential belongs. */
  text_body: string
  html_body: string
  /** Encrypted; erased when the mail is sent, after the last failure, or after 7 days. */
  credential: string | null
  status: MailStatus
  attempts: number
  /** Set only while queued. An attempt moves it into the future, so that no other process claims the mail. */
  next_attempt_at: number | null
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

export const credentialPurpose = 'mail credential'

export const mailCredentials = ({ db }: PlatformContext): EncryptedColumn =>
  encryptedColumn(
    db,
    { name: 'credentials in queued mails', getPurpose: () => credentialPurpose },
    { table: 'mails', idColumn: 'id', column: 'credential' },
  )
