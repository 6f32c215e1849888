import { type EventRow, findEvent } from '../../events/event-rows.ts'
import { isExpired } from '../../events/event-rules.ts'
import { findGuest } from '../../events/guests/guest-rows.ts'
import type { ToldThread } from '../../events/mail/event-letters.ts'
import { loadLetterhead, mailThreads } from '../../events/mail/event-mail.ts'
import type { Letterhead } from '../../events/mail/write-letter.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inSnapshot, inTransaction } from '../../platform/database/transaction.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { createGalleryUrl, createNoticeLink } from './notice-links.ts'
import {
  changeNotice,
  findNotice,
  isUnsubscribed,
  listAsked,
  listDueNotices,
  operators,
  type ThreadNoticeRow,
} from './notice-rows.ts'

const batchSize = 100
/** A mail shows this many threads and tells how many others there are. */
const maxThreads = 10
const maxMessages = 5
const maxRead = 500

/** Mails operators about new requests and answers of guests, and guests about answers of operators. */
export async function sendNotices(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now()
  const due = await inSnapshot(ctx.db, (tx) => listDueNotices(tx, now, batchSize))
  if (due.length === 0) return
  const head = await loadLetterhead(ctx)
  for (const notice of due) await sendNotice(ctx, head, notice)
  ctx.changes.notify('mail', null)
}

/** Sends nothing if another process has sent it, or there is nothing to tell any more. */
async function sendNotice(ctx: AppContext, head: Letterhead, key: ThreadNoticeRow): Promise<void> {
  await inTransaction(ctx.db, `event ${key.event_id}`, async (tx) => {
    const now = ctx.clock.now()
    const notice = await findNotice(tx, key)
    if (!notice || notice.due_at === null || notice.due_at > now) return
    await changeNotice(tx, notice, { due_at: null, since: null })
    const event = await findEvent(tx, notice.event_id)
    if (!event || event.trashed_at !== null || event.is_archived === 1) return
    const isSent = await (notice.guest_id === operators ? tellOperators : tellGuest)(ctx, tx, {
      head,
      event,
      notice,
      now,
    })
    if (isSent) await changeNotice(tx, notice, { sent_at: now })
  })
}

type Telling = { head: Letterhead; event: EventRow; notice: ThreadNoticeRow; now: number }

async function tellOperators(ctx: AppContext, tx: Tx, { head, event, notice }: Telling): Promise<boolean> {
  const told = await listToldThreads(tx, event.id, notice.since ?? 0, null)
  if (told.threads.length === 0) return false
  const unsubscribe = createNoticeLink(ctx, head.origin, { act: 'unsubscribe', eventId: event.id, guestId: operators })
  const urlOf = (photoId: number | null) =>
    `${head.origin}/admin/events/${event.id}/todo${photoId === null ? '' : `?photo=${photoId}`}`
  return mailThreads(ctx, tx, head, event, { ...told, guest: null, urlOf, unsubscribe })
}

/**
 * Only one mail goes to an address that was not confirmed. It asks to confirm the address. Whoever types the address of the
 * customer chooses no word of the mails: these have the customer's name, and only what operators have written.
 */
async function tellGuest(ctx: AppContext, tx: Tx, { head, event, notice, now }: Telling): Promise<boolean> {
  const guest = await findGuest(tx, event.id, notice.guest_id)
  if (!guest?.email || isExpired(event, now) || isBeforeReveal(event, now) || event.is_draft === 1) return false
  const { id: guestId, email } = guest
  const isConfirmed = notice.confirmed_email === email
  const isCustomer = event.customer_email?.toLowerCase() === email.toLowerCase()
  const isAsking = !isConfirmed && !isCustomer
  if (isAsking && (await listAsked(tx, event.id, [email])).size > 0) return false
  if (await isUnsubscribed(tx, event.id, email)) return false
  const told = await listToldThreads(tx, event.id, notice.since ?? 0, guestId)
  if (told.threads.length === 0) return false
  const link = { eventId: event.id, guestId }
  const links = isAsking
    ? { confirm: createNoticeLink(ctx, head.origin, { act: 'confirm', ...link, email }) }
    : { unsubscribe: createNoticeLink(ctx, head.origin, { act: 'unsubscribe', ...link }) }
  if (isAsking) await changeNotice(tx, notice, { asked_email: email.toLowerCase() })
  const threads = isConfirmed ? told.threads : told.threads.map((thread) => ({ ...thread, text: null }))
  const name = isCustomer ? event.customer_name : isConfirmed ? guest.name : null
  const urlOf = (photoId: number | null) => createGalleryUrl(ctx, head.origin, event, { guestId, isCustomer }, photoId)
  return mailThreads(ctx, tx, head, event, { ...told, threads, guest: { name, email }, urlOf, ...links })
}

/**
 * Returns the threads with something new since the time. `guestId`: the guest who is told of answers of operators; null
 * for operators, who are told of private requests and of answers of guests.
 */
async function listToldThreads(
  tx: Tx,
  eventId: number,
  since: number,
  guestId: string | null,
): Promise<{ threads: ToldThread[]; moreCount: number }> {
  const messages = await tx
    .selectFrom('thread_messages')
    .leftJoin('guests', 'guests.id', 'thread_messages.guest_id')
    .select(['thread_messages.thread_id', 'thread_messages.text', 'guests.name'])
    .where('thread_messages.event_id', '=', eventId)
    .where('thread_messages.created_at', '>=', since)
    .where('thread_messages.guest_id', guestId === null ? 'is not' : 'is', null)
    .orderBy('thread_messages.id')
    .limit(maxRead)
    .execute()
  const answers = Map.groupBy(messages, ({ thread_id }) => thread_id)
  const rows = await tx
    .selectFrom('threads')
    .leftJoin('photos', 'photos.id', 'threads.photo_id')
    .leftJoin('feedback', 'feedback.id', 'threads.feedback_id')
    .leftJoin('guests', 'guests.id', 'threads.guest_id')
    .select(['threads.id', 'threads.kind', 'threads.photo_id', 'threads.created_at', 'guests.name as guest_name'])
    .select(['photos.source_filename', 'photos.width', 'photos.height', 'photos.thumbnail_filename'])
    .select(({ fn }) => fn.coalesce('threads.text', 'feedback.comment_text').as('text'))
    .where('threads.event_id', '=', eventId)
    .where((where) => where.or([where('threads.photo_id', 'is', null), where('photos.id', 'is not', null)]))
    .$if(guestId !== null, (own) =>
      own
        .where('threads.guest_id', '=', guestId ?? '')
        .where((where) => where.or([where('threads.photo_id', 'is', null), visibleToGuests()])),
    )
    .where((where) => {
      const isAnswered = where('threads.id', 'in', answers.size > 0 ? [...answers.keys()] : [0])
      const isNew = where.and([where('threads.created_at', '>=', since), where('threads.kind', '<>', 'comment')])
      return guestId === null ? where.or([isAnswered, isNew]) : isAnswered
    })
    .orderBy('threads.id')
    .limit(maxRead)
    .execute()
  const threads = rows.slice(0, maxThreads).map(
    (row): ToldThread => ({
      photo:
        row.photo_id === null || row.source_filename === null
          ? null
          : {
              id: row.photo_id,
              name: row.source_filename,
              width: row.width ?? 3,
              height: row.height ?? 2,
              hasThumbnail: row.thumbnail_filename !== null,
            },
      text: row.text,
      guestName: row.guest_name,
      answers: (answers.get(row.id) ?? []).slice(-maxMessages).map(({ text, name }) => ({ text, guestName: name })),
    }),
  )
  return { threads, moreCount: rows.length - threads.length }
}
