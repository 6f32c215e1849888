import type { EventSwitch } from '../../contract/event-features.ts'
import type { FeedbackBody, FeedbackReply } from '../../contract/feedback.ts'
import type { FeedbackKind } from '../../contract/marks.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { GalleryAccessContext } from '../gallery-access/gallery-access-context.ts'
import { getGuestCaller, type OpenGallery } from '../gallery-access/open-gallery-request.ts'
import { assertViewable } from '../gallery-access/viewing-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { changeFeedback } from './change-feedback.ts'
import { type FeedbackInput, giveFeedback } from './give-feedback.ts'
import { createMarkGuard } from './marks/markable-photo.ts'
import { announceThread } from './threads/thread-changes.ts'

const feedbackSwitches: Record<FeedbackKind, EventSwitch> = {
  rating: 'allow_ratings',
  color_label: 'allow_color_labels',
  like: 'allow_likes',
  favorite: 'allow_favorites',
  comment: 'allow_comments',
}

/**
 * Throws the errors of `authorizeFeedback` and `giveFeedback`, FEEDBACK_DISABLED, and FORBIDDEN if `guest_id` is the id
 * of another guest.
 */
export async function storeGuestFeedback(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  photoId: number,
  body: FeedbackBody,
  record: FeedbackInput['record'],
): Promise<FeedbackReply> {
  const guestId = await authorizeFeedback(ctx, gallery, photoId)
  const { event } = gallery
  if (body.guest_id !== undefined) await assertIntendedGuest(ctx, event, body.guest_id, guestId)
  const isOn = event.feedback_enabled === 1 && event[feedbackSwitches[body.feedback_type]] === 1
  if (!isOn) throw new AppError('FEEDBACK_DISABLED')
  const isComment = body.feedback_type === 'comment'
  const origin = isComment ? await ctx.settings.linkOrigin() : ''
  const reply = await giveFeedback(ctx, {
    eventId: event.id,
    guestId,
    body,
    isModerated: event.moderate_comments === 1,
    requiresName: event.require_guest_name === 1,
    photoId,
    guard: createMarkGuard(ctx, event.id),
    announce: async (tx, thread) => announceThread(tx, event, thread, origin),
    record,
  })
  if (isComment) ctx.changes.notify('delivery', null)
  return reply
}

/**
 * Works even while comments are disabled. Throws the errors of `authorizeFeedback`, and NOT_FOUND for anything except
 * the guest's own comment on this photo.
 */
export async function removeOwnComment(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  photoId: number,
  feedbackId: number,
): Promise<FeedbackReply> {
  const guestId = await authorizeFeedback(ctx, gallery, photoId)
  const { id: eventId } = gallery.event
  await changeFeedback(ctx, { eventId, feedbackId }, 'removed', createMarkGuard(ctx, eventId), (row) => {
    const isOwn = row.guest_id === guestId && row.photo_id === photoId && row.kind === 'comment'
    if (!isOwn) throw new AppError('NOT_FOUND')
  })
  return { success: true, id: feedbackId, created: false, updated: false, removed: true }
}

/** Feedback queued offline must not be stored for another guest who uses the same browser later. */
export async function assertIntendedGuest(
  { mergedGuests }: GalleryAccessContext,
  { id }: EventRow,
  intendedId: string,
  guestId: string,
) {
  if ((await mergedGuests.find(id, intendedId)) === guestId) return
  throw new AppError('FORBIDDEN', { text: 'This feedback belongs to another guest than this session.' })
}

/** Returns the id of the guest. Throws the errors of `assertViewable`, and FORBIDDEN for an operator. */
export async function authorizeFeedback(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  photoId: number,
): Promise<string> {
  assertViewable(gallery.event, await ctx.galleries.photo(photoId), gallery.viewer, 'photo', ctx.clock.now())
  return getGuestCaller(gallery).guestId
}
