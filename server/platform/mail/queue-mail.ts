import type { MailKind } from '../../../contract/mail.ts'
import type { Tx } from '../database/tables.ts'
import type { PlatformContext } from '../platform-context.ts'
import { composeMail, type Letter } from './letter.ts'
import { credentialPurpose } from './mail-rows.ts'

export type NewMail = {
  kind: MailKind
  eventId: number | null
  to: string
  replyTo: string | null
  senderName: string | null
  letter: Letter
  credential: string | null
}

/**
 * Writes the mail in the transaction of its operation: a rollback sends nothing, and a crash loses nothing. After the
 * commit the operation notifies `mail`, so that the mail is sent at once.
 */
export async function queueMail({ mailer, encryption, clock }: PlatformContext, tx: Tx, mail: NewMail): Promise<void> {
  const { subject, text, html } = composeMail(mail.letter)
  const now = clock.now()
  const isQueued = mailer.newStatus === 'queued'
  // A mail that is never sent needs no credential, and the outbox does not show it.
  const credential = isQueued && mail.credential ? encryption.encrypt(mail.credential, credentialPurpose) : null
  await tx
    .insertInto('mails')
    .values({
      kind: mail.kind,
      event_id: mail.eventId,
      recipient: mail.to,
      reply_to: mail.replyTo,
      sender_name: mail.senderName,
      subject,
      text_body: text,
      html_body: html,
      credential,
      status: mailer.newStatus,
      attempts: 0,
      next_attempt_at: isQueued ? now : null,
      last_error: null,
      created_at: now,
      sent_at: null,
    })
    .execute()
}
