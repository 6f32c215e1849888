import type { FirstLookBody, FirstLookRecord } from '../../../contract/first-look.ts'
import { must } from '../../../contract/must.ts'
import { sharePath } from '../../../contract/share-path.ts'
import { eventData } from '../../events/event-announcements.ts'
import { type EventRow, setHasFirstLook } from '../../events/event-rows.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { loadLetterhead, mailRound } from '../../events/mail/event-mail.ts'
import type { MailedGuest } from '../../events/mail/round-letters.ts'
import type { Letterhead } from '../../events/mail/write-letter.ts'
import { isUnsubscribed, takePhotoNotices } from '../../feedback/notices/notice-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { findRoundRecipient, isClosedToGuests } from '../../selections/rounds/round-recipient.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { announce } from '../../webhooks/announce.ts'
import { deleteFirstLook, findFirstLook, firstLookRecord, storeFirstLook } from './first-look-rows.ts'

/** One that was complete begins again. Throws NOT_FOUND and EVENT_ARCHIVED. */
export async function saveFirstLook(ctx: AppContext, eventId: number, body: FirstLookBody): Promise<FirstLookRecord> {
  const row = { event_id: eventId, ...body, completed_at: null }
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    await storeFirstLook(tx, row)
    await setHasFirstLook(tx, eventId, true)
  })
  ctx.changes.notify('event', eventId)
  return firstLookRecord(row)
}

/** Guests who asked get no mail. Throws NOT_FOUND and EVENT_ARCHIVED. */
export async function removeFirstLook(ctx: AppContext, eventId: number): Promise<void> {
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    await deleteFirstLook(tx, eventId)
    await setHasFirstLook(tx, eventId, false)
    await takePhotoNotices(tx, eventId)
  })
  ctx.changes.notify('event', eventId)
}

/**
 * Mails the customer and the guests who asked. Throws NOT_FOUND, EVENT_ARCHIVED, and INVALID_STATE without a first look or
 * if it is complete already.
 */
export async function completeFirstLook(ctx: AppContext, eventId: number): Promise<FirstLookRecord> {
  const head = await loadLetterhead(ctx)
  const now = ctx.clock.now()
  const completed = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const event = await getChangeableEvent(tx, eventId)
    if (event.has_first_look === 0) throw new AppError('INVALID_STATE', { text: 'The event has no open first look.' })
    const row = { ...must(await findFirstLook(tx, eventId), 'the first look of the event'), completed_at: now }
    await storeFirstLook(tx, row)
    await setHasFirstLook(tx, eventId, false)
    const data = { event: { ...eventData(event, head.origin), completed_at: isoTime(now) } }
    await announce(tx, 'event.completed', data, now)
    await mailCompletion(ctx, tx, head, event)
    return row
  })
  ctx.changes.notify('event', eventId)
  ctx.changes.notify('delivery', eventId)
  ctx.changes.notify('mail', eventId)
  return firstLookRecord(completed)
}

/** Mails each address once, and nobody while the gallery is closed to guests. */
async function mailCompletion(ctx: AppContext, tx: Tx, head: Letterhead, event: EventRow): Promise<void> {
  const { id, customer_email: email, customer_name: name } = event
  const asked = await takePhotoNotices(tx, id)
  if (isClosedToGuests(event, ctx.clock.now())) return
  const recipients = new Map<string, MailedGuest>()
  const options = { origin: head.origin, canAsk: false }
  for (const guestId of asked) {
    const guest = await findRoundRecipient(ctx, tx, event, { guestId, ...options })
    if (guest) recipients.set(guest.email.toLowerCase(), guest)
  }
  if (email && !recipients.has(email.toLowerCase()) && !(await isUnsubscribed(tx, id, email)))
    recipients.set(email.toLowerCase(), { name, email, galleryUrl: head.origin + sharePath(event) })
  for (const guest of recipients.values()) await mailRound(ctx, tx, head, event, { kind: 'first_look_complete', guest })
}
