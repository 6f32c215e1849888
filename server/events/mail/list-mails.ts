import type { ListMailsQuery, MailRecord } from '../../../contract/instance/mail.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { insertCredential, maskedCredential } from '../../platform/mail/letter.ts'
import type { MailRow } from '../../platform/mail/mail-rows.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { getOwnedEvent, ownedEventIds } from '../event-ownership.ts'

/**
 * Returns mails, newest first. A super_admin gets all mails, other accounts only those of events that they own or are a
 * member of.
 */
export async function listMails({ db }: AppContext, { user }: AccountCaller, query: ListMailsQuery) {
  const { page, limit } = query
  let mails = db.selectFrom('mails')
  if (query.status !== undefined) mails = mails.where('status', '=', query.status)
  // The mails of events in the trash are left out. A super_admin also gets mails that belong to no event.
  mails = mails.where(({ eb, or }) => {
    const isOfOwnEvent = eb('event_id', 'in', ownedEventIds(db, user))
    return user.role === 'super_admin' ? or([eb('event_id', 'is', null), isOfOwnEvent]) : isOfOwnEvent
  })
  const { total } = await mails.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await mails
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { rows, pagination: toPagination(query, total) }
}

/** Throws NOT_FOUND, or FORBIDDEN if the mail belongs to no event of the caller. A super_admin gets every mail. */
export async function getOwnedMail(ctx: AppContext, caller: AccountCaller, mailId: number): Promise<MailRow> {
  const mail = await ctx.db.selectFrom('mails').selectAll().where('id', '=', mailId).executeTakeFirst()
  if (!mail) throw new AppError('NOT_FOUND')
  if (mail.event_id !== null) await getOwnedEvent(ctx, caller, mail.event_id)
  else if (caller.user.role !== 'super_admin') throw new AppError('FORBIDDEN')
  return mail
}

/** Masks the credential (a password or a link) in the mail. */
export function mailRecord(row: MailRow): MailRecord {
  const composed = { subject: row.subject, text: row.text_body, html: row.html_body }
  const { subject, text, html } = insertCredential(composed, maskedCredential)
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    subject,
    status: row.status,
    text,
    html,
    created_at: isoTime(row.created_at),
    sent_at: isoTimeOrNull(row.sent_at),
    next_attempt_at: isoTimeOrNull(row.next_attempt_at),
    attempts: row.attempts,
    last_error: row.last_error,
    event_id: row.event_id,
  }
}
