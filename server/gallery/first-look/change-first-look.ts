import type { FirstLookBody, FirstLookRecord } from '../../../contract/first-look.ts'
import { must } from '../../../contract/must.ts'
import { eventData } from '../../events/event-announcements.ts'
import { setHasFirstLook } from '../../events/event-rows.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { loadLetterhead } from '../../events/mail/event-mail.ts'
import { endPhotoNotices } from '../../feedback/notices/notice-rows.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { announce } from '../../webhooks/announce.ts'
import { mailAskedGuests, mailCustomer } from './first-look-mails.ts'
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
    await endPhotoNotices(tx, eventId)
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
    await mailCustomer(ctx, tx, head, event)
    await mailAskedGuests(ctx, tx, head, event, row)
    return row
  })
  ctx.changes.notify('event', eventId)
  ctx.changes.notify('delivery', eventId)
  ctx.changes.notify('mail', eventId)
  return firstLookRecord(completed)
}
