import { consume, rateLimited } from '../../access/limits/rate-limits.ts'
import { resolveMergedGuest, saveGuest } from '../../events/guests/guest-rows.ts'
import { loadLetterhead, mailRound } from '../../events/mail/event-mail.ts'
import { changeNotice, ensureNotice, findNotice } from '../../feedback/notices/notice-rows.ts'
import { getOpenEvent } from '../../gallery-access/get-event-for-feedback.ts'
import { getGuestCaller, type OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { hours } from '../../platform/time/clock.ts'
import { findRoundRecipient } from '../../selections/rounds/round-recipient.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { findFirstLook } from './first-look-rows.ts'

export type ShownFirstLook = {
  aboutCount: number
  /** Null if the day is over. */
  completeOn: string | null
  /** Whether the guest gets a mail; null if nobody can ask for one. */
  isAsked: boolean | null
}

/** Returns null before the reveal, and without an open first look. */
export async function loadShownFirstLook(
  ctx: GalleryContext,
  { event, viewer }: OpenGallery,
): Promise<ShownFirstLook | null> {
  const now = ctx.clock.now()
  if (event.has_first_look === 0 || isBeforeReveal(event, now)) return null
  const row = await findFirstLook(ctx.db, event.id)
  if (!row) return null
  const canAsk = viewer.kind === 'guest' && !viewer.guest.isPreview && (await ctx.mailer.newStatus(ctx.db)) === 'queued'
  const notice = canAsk ? await findNotice(ctx.db, { event_id: event.id, guest_id: viewer.guest.guestId }) : undefined
  return {
    aboutCount: row.about_count,
    completeOn: row.complete_on < new Date(now).toISOString().slice(0, 10) ? null : row.complete_on,
    isAsked: canAsk ? notice?.photos_asked_at != null && notice.unsubscribed_at === null : null,
  }
}

/**
 * The guest gets a mail when all photos are there. An address that is not confirmed gets one now, which asks to confirm
 * it. Throws NOT_FOUND (also before the reveal), GALLERY_EXPIRED, FORBIDDEN for an operator, RATE_LIMITED, and
 * INVALID_STATE without an open first look or a mail server.
 */
export async function askForNotice(ctx: GalleryContext, gallery: OpenGallery, email: string): Promise<void> {
  const { eventId, guestId: sessionGuest } = getGuestCaller(gallery)
  await consume(ctx.access.limits.guestSelections(sessionGuest))
  const now = ctx.clock.now()
  const head = await loadLetterhead(ctx)
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const event = await getOpenEvent(tx, eventId, now)
    if (event.has_first_look === 0 || (await ctx.mailer.newStatus(tx)) === 'kept') throw new AppError('INVALID_STATE')
    const guestId = await resolveMergedGuest(tx, eventId, sessionGuest)
    await saveGuest(tx, { eventId, guestId, name: null, email, now })
    const key = { event_id: eventId, guest_id: guestId }
    await ensureNotice(tx, key)
    const isConfirmed = (await findNotice(tx, key))?.confirmed_email === email
    await changeNotice(tx, key, { photos_asked_at: now, ...(isConfirmed && { unsubscribed_at: null }) })
    const guest = await findRoundRecipient(ctx, tx, event, { guestId, origin: head.origin, canAsk: true })
    // The error rolls back that a mail has asked for the address.
    if (guest?.confirm && !(await mailRound(ctx, tx, head, event, { kind: 'first_look_asked', guest })))
      throw rateLimited(hours(1) / 1000)
  })
  ctx.changes.notify('mail', eventId)
}
