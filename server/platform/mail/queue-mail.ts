import type { ExpressionBuilder } from 'kysely'
import type { MailKind } from '../../../contract/instance/mail.ts'
import type { Tables, Tx } from '../database/tables.ts'
import { AppError } from '../errors/app-error.ts'
import type { PlatformContext } from '../platform-context.ts'
import { days } from '../time/clock.ts'
import { composeMail, credentialPlaceholder, type Letter } from './letter.ts'
import { credentialPurpose, type MailRow } from './mail-rows.ts'

export type NewMail = {
  kind: MailKind
  eventId: number | null
  selectionId?: number
  to: string
  replyTo: string | null
  senderName: string | null
  letter: Letter
  credential: string | null
  /** How long the mail waits, so that it can still be deleted; 0 by default. */
  delayMs?: number
}

/** Call it in the transaction of the operation. Notify the topic `mail` after the commit to send the mail at once. */
export async function queueMail({ mailer, encryption, clock }: PlatformContext, tx: Tx, mail: NewMail): Promise<void> {
  const { subject, text, html } = composeMail(mail.letter)
  const now = clock.now()
  const status = await mailer.newStatus(tx)
  const isQueued = status === 'queued'
  // Without a mail server the mail is not sent, so it needs no credential.
  const credential = isQueued && mail.credential ? encryption.encrypt(mail.credential, credentialPurpose) : null
  await tx
    .insertInto('mails')
    .values({
      kind: mail.kind,
      event_id: mail.eventId,
      selection_id: mail.selectionId ?? null,
      recipient: mail.to,
      reply_to: mail.replyTo,
      sender_name: mail.senderName,
      subject,
      text_body: text,
      html_body: html,
      credential,
      status,
      attempts: 0,
      next_attempt_at: isQueued ? now + (mail.delayMs ?? 0) : null,
      last_error: null,
      created_at: now,
      sent_at: null,
    })
    .execute()
}

/** Returns how many were deleted. A queued mail is not sent any more. */
export async function deleteMailsAbout(tx: Tx, selectionIds: readonly number[]): Promise<number> {
  if (selectionIds.length === 0) return 0
  const deleted = await tx.deleteFrom('mails').where('selection_id', 'in', selectionIds).returning('id').execute()
  return deleted.length
}

/** Returns how many were deleted. A queued mail is not sent any more. */
export async function deleteMailsOfKind(tx: Tx, eventId: number, kind: MailKind): Promise<number> {
  const mails = tx.deleteFrom('mails').where('event_id', '=', eventId).where('kind', '=', kind)
  return (await mails.returning('id').execute()).length
}

/** Deletes the mails of an event that are not sent yet. */
export async function deleteQueuedMails(tx: Tx, eventId: number): Promise<void> {
  await tx.deleteFrom('mails').where('event_id', '=', eventId).where('next_attempt_at', 'is not', null).execute()
}

/** Deletes the mails of a kind about an event that were not sent, also those that wait for a mail server. */
export async function deleteUnsentMails(tx: Tx, eventId: number, kind: MailKind): Promise<void> {
  await tx
    .deleteFrom('mails')
    .where('event_id', '=', eventId)
    .where('kind', '=', kind)
    .where('status', 'in', ['queued', 'kept'])
    .execute()
}

/** Throws INVALID_STATE for a mail that is queued, sent, too old or had a credential, and without a mail server. */
export async function retryMail({ db, clock, changes, mailer }: PlatformContext, mail: MailRow): Promise<MailRow> {
  const now = clock.now()
  if ((await mailer.newStatus(db)) === 'kept') throw invalidState('No mail server is configured. Set one up first.')
  if (mail.created_at < now - maxMailAgeMs) throw invalidState('The email is older than 7 days. Create a new one.')
  if (mail.text_body.includes(credentialPlaceholder))
    throw invalidState('The password or link in this email has been erased. Create a new one.')
  const queued = await db
    .updateTable('mails')
    .set({ status: 'queued', attempts: 0, next_attempt_at: now, last_error: null })
    .where('id', '=', mail.id)
    .where('status', 'in', ['failed', 'kept'])
    .returningAll()
    .executeTakeFirst()
  if (!queued) throw invalidState('The email has already been sent or is queued.')
  changes.notify('mail', mail.id)
  return queued
}

/**
 * Mails that were written without a mail server and can be sent now: not too old, and without a secret. The first account has
 * an address at localhost until an operator changes it.
 */
const isSendable = (mails: ExpressionBuilder<Tables, 'mails'>, now: number) =>
  mails.and([
    mails('status', '=', 'kept'),
    mails('created_at', '>=', now - maxMailAgeMs),
    mails('text_body', 'not like', `%${credentialPlaceholder}%`),
    mails('recipient', 'not like', '%@localhost'),
  ])

export async function countSendableMails({ db, clock }: PlatformContext): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((mails) => isSendable(mails, clock.now()))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Queues the mails that `countSendableMails` counts. */
export async function queueKeptMails({ clock }: PlatformContext, tx: Tx): Promise<void> {
  const now = clock.now()
  await tx
    .updateTable('mails')
    .set({ status: 'queued', attempts: 0, next_attempt_at: now, last_error: null })
    .where((mails) => isSendable(mails, now))
    .execute()
}

const invalidState = (text: string): AppError => new AppError('INVALID_STATE', { text })

/** Older mails are not sent any more, and their credentials must be erased. */
const maxMailAgeMs = days(7)

const retentionMs = days(90)

const batchSize = 1000

export async function pruneMails({ db, clock }: PlatformContext): Promise<void> {
  const now = clock.now()
  await db
    .updateTable('mails')
    .set((mail) => ({
      status: 'failed',
      credential: null,
      next_attempt_at: null,
      last_error: mail.fn.coalesce('last_error', mail.val('It was not sent within 7 days.')),
    }))
    .where('next_attempt_at', 'is not', null)
    .where('created_at', '<', now - maxMailAgeMs)
    .execute()
  await db
    .deleteFrom('mails')
    .where('id', 'in', (mails) =>
      mails
        .selectFrom('mails')
        .select('id')
        .where('created_at', '<', now - retentionMs)
        .limit(batchSize),
    )
    .execute()
}
