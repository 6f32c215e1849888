import type { GuestRound, ReopeningBody } from '../../../contract/gallery/rounds.ts'
import { must } from '../../../contract/must.ts'
import { consume } from '../../access/limits/rate-limits.ts'
import { findGuest, resolveMergedGuest } from '../../events/guests/guest-rows.ts'
import { loadLetterhead, mailReopening } from '../../events/mail/event-mail.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { getOpenEvent } from '../../gallery-access/get-event-for-feedback.ts'
import { getGuestCaller, type OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { findSelectionOfRound } from '../selection-rows.ts'
import { recordRound } from './operator-rounds.ts'
import { findPackage } from './package-rows.ts'
import { changeRound, countPicks, findCurrentRound, findRoundBefore, getNextNumber } from './round-rows.ts'
import { countExtras, isSent } from './round-rules.ts'

/** Returns null for an operator, before the reveal, and without a package. */
export async function loadGuestRound(
  { db, clock }: GalleryAccessContext,
  { event, viewer }: OpenGallery,
): Promise<GuestRound | null> {
  if (event.has_package === 0 || viewer.kind !== 'guest' || isBeforeReveal(event, clock.now())) return null
  const terms = await findPackage(db, event.id)
  if (!terms) return null
  const { guestId } = viewer.guest
  const round = await findCurrentRound(db, event.id, guestId)
  const count = (await countPicks(db, event.id, [guestId])).get(guestId) ?? 0
  const { included, minimum, maximum, due_on } = round ?? terms
  const before = round?.state === 'reopened' ? await findRoundBefore(db, round) : undefined
  const selection = before && (await findSelectionOfRound(db, before.id))
  return {
    number: round?.number ?? (await getNextNumber(db, event.id, guestId)),
    state: round?.state ?? 'open',
    purpose: terms.purpose,
    extra_text: terms.extra_text,
    ...{ included, minimum, maximum, due_on },
    time_zone: terms.time_zone,
    locks_on_submission: terms.locks_on_submission === 1,
    count,
    extra_count: countExtras(count, { included }),
    revision: round?.revision ?? 0,
    message: round?.message ?? null,
    before_number: selection?.number ?? null,
    is_reopening_asked: round !== undefined && round.asked_at !== null,
    deciders: [],
    disagreements: [],
  }
}

/**
 * The guest has sent the picks too early. Asking again replaces the words. Throws NOT_FOUND (also before the reveal),
 * GALLERY_EXPIRED, FORBIDDEN for an operator, RATE_LIMITED, and INVALID_STATE if nothing is submitted.
 */
export async function askForReopening(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  body: ReopeningBody,
): Promise<GuestRound> {
  const { eventId, guestId: sessionGuest } = getGuestCaller(gallery)
  await consume(ctx.access.limits.guestSelections(sessionGuest))
  const now = ctx.clock.now()
  const head = await loadLetterhead(ctx)
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const event = await getOpenEvent(tx, eventId, now)
    const guestId = await resolveMergedGuest(tx, eventId, sessionGuest)
    const round = await findCurrentRound(tx, eventId, guestId)
    if (!round || !isSent(round)) throw new AppError('INVALID_STATE', { text: 'No picks are submitted.' })
    const message = body?.message?.trim() || null
    const asked = await changeRound(tx, round.id, { asked_at: now, asked_message: message })
    await recordRound(tx, asked, { did: 'requested', by: null, now })
    const { id: selectionId, number } = must(await findSelectionOfRound(tx, round.id), 'the selection of a round')
    const guest = await findGuest(tx, eventId, guestId)
    const from = { guestName: guest?.name ?? null, guestEmail: guest?.email ?? null }
    await mailReopening(ctx, tx, head, event, { selectionId, number, message, ...from })
  })
  ctx.changes.notify('mail', eventId)
  ctx.changes.notify('live', eventId)
  return must(await loadGuestRound(ctx, gallery), 'the round of the guest')
}
