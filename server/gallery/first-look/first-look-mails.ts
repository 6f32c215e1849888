import { sharePath } from '../../../contract/share-path.ts'
import { type EventRow, findEvent } from '../../events/event-rows.ts'
import { isExpired } from '../../events/event-rules.ts'
import { loadLetterhead, mailRound } from '../../events/mail/event-mail.ts'
import type { Letterhead } from '../../events/mail/write-letter.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import { changeNotice, isUnsubscribed, listPhotoNotices } from '../../feedback/notices/notice-rows.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inSnapshot, inTransaction } from '../../platform/database/transaction.ts'
import { days } from '../../platform/time/clock.ts'
import { findRoundRecipient } from '../../selections/rounds/round-recipient.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { type FirstLookRow, findFirstLook } from './first-look-rows.ts'

const betweenMailsMs = days(1)
/** How long guests who could not be mailed at once still get the mail: over the limit, or not confirmed yet. */
const lateMailsMs = days(7)
const batchSize = 100

/** Mails guests who asked about photos that were added, at most once a day, and late mails that all photos are there. */
export async function sendFirstLookMails(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now()
  const due = await inSnapshot(ctx.db, (tx) =>
    tx
      .selectFrom('thread_notices as notices')
      .innerJoin('first_looks', 'first_looks.event_id', 'notices.event_id')
      .select('notices.event_id')
      .distinct()
      .where('notices.photos_since', 'is not', null)
      .where(({ or, and, eb, exists }) =>
        or([
          eb('completed_at', '>', now - lateMailsMs),
          and([
            eb('completed_at', 'is', null),
            eb('notices.photos_since', '<=', now - betweenMailsMs),
            exists((where) =>
              where
                .selectFrom('photos')
                .select('photos.id')
                .whereRef('photos.event_id', '=', 'notices.event_id')
                .whereRef('photos.uploaded_at', '>', 'notices.photos_since')
                .where(visibleToGuests()),
            ),
          ]),
        ]),
      )
      .limit(batchSize)
      .execute(),
  )
  if (due.length === 0) return
  const head = await loadLetterhead(ctx)
  for (const { event_id: eventId } of due) {
    await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
      const event = await findEvent(tx, eventId)
      const firstLook = await findFirstLook(tx, eventId)
      if (event && firstLook) await mailAskedGuests(ctx, tx, head, event, firstLook)
    })
  }
  ctx.changes.notify('mail', null)
}

const isClosed = (event: EventRow, now: number): boolean =>
  event.is_draft === 1 || event.is_archived === 1 || isExpired(event, now) || isBeforeReveal(event, now)

/** All photos are there. */
export async function mailCustomer(ctx: AppContext, tx: Tx, head: Letterhead, event: EventRow): Promise<void> {
  const { id, customer_email: email, customer_name: name } = event
  if (!email || isClosed(event, ctx.clock.now()) || (await isUnsubscribed(tx, id, email))) return
  const guest = { name, email, galleryUrl: head.origin + sharePath(event) }
  await mailRound(ctx, tx, head, event, { kind: 'first_look_complete', guest })
}

/** A complete first look ends the mails. The customer has got that one already. */
export async function mailAskedGuests(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  { completed_at }: FirstLookRow,
): Promise<void> {
  const now = ctx.clock.now()
  if (isClosed(event, now)) return
  const mailed = new Set(completed_at === null ? [] : [event.customer_email?.toLowerCase()])
  for (const { photos_since: since, ...key } of await listPhotoNotices(tx, event.id)) {
    const count = completed_at === null && since <= now - betweenMailsMs ? await countAdded(tx, event.id, since) : 0
    if (completed_at === null && count === 0) continue
    const options = { guestId: key.guest_id, origin: head.origin, canAsk: false }
    const guest = await findRoundRecipient(ctx, tx, event, options)
    if (!guest) continue
    const mail =
      completed_at === null ? { kind: 'first_look_photos' as const, count } : { kind: 'first_look_complete' as const }
    const isFirst = !mailed.has(guest.email.toLowerCase())
    if (isFirst && !(await mailRound(ctx, tx, head, event, { ...mail, guest }))) return
    mailed.add(guest.email.toLowerCase())
    await changeNotice(tx, key, { photos_since: completed_at === null ? now : null })
  }
}

async function countAdded(tx: Tx, eventId: number, since: number): Promise<number> {
  const { count } = await tx
    .selectFrom('photos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', eventId)
    .where('uploaded_at', '>', since)
    .where(visibleToGuests())
    .executeTakeFirstOrThrow()
  return Number(count)
}
