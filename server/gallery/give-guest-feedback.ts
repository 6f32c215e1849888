import type { EventSwitch } from '../../contract/events.ts'
import type { FeedbackBody, FeedbackKind, FeedbackReply } from '../../contract/marks.ts'
import { getMarkable } from '../photos/markable-photo.ts'
import { invalidField, Refusal } from '../platform/refusal.ts'
import { giveFeedback } from '../proofing/give-feedback.ts'
import type { GalleryHouse } from './gallery-house.ts'
import type { OpenGallery } from './open-gallery.ts'
import { judgeWish } from './viewing-rules.ts'

/** The event's switch for each kind of feedback. */
const switches: Record<FeedbackKind, EventSwitch> = {
  rating: 'allow_ratings',
  color_label: 'allow_color_labels',
  like: 'allow_likes',
  favorite: 'allow_favorites',
}

/**
 * What a guest gives to a photo that the guest may see. Throws what viewing throws, FEEDBACK_DISABLED for a kind that is
 * switched off, VALIDATION_ERROR at `guest_name` where a name is required (decisions §7).
 */
export async function giveGuestFeedback(
  house: GalleryHouse,
  { event, viewer }: OpenGallery,
  photoId: number,
  body: FeedbackBody,
): Promise<FeedbackReply> {
  judgeWish(event, await house.galleries.photo(photoId), viewer, 'photo', house.clock.now())
  if (viewer.kind === 'operator') {
    throw new Refusal('FORBIDDEN', { text: 'Only guests give feedback here; operators set marks of their own.' })
  }
  const isOn = event.feedback_enabled === 1 && event[switches[body.feedback_type]] === 1
  if (!isOn) throw new Refusal('FEEDBACK_DISABLED')
  if (event.require_guest_name === 1 && !body.guest_name?.trim()) throw invalidField('guest_name', 'is required')
  return giveFeedback(house, viewer.guest.guestId, (tx) => getMarkable(tx, event.id, photoId), body)
}
