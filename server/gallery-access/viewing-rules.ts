import type { GuestCaller } from '../access/callers.ts'
import type { EventRow } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { isVisibleToGuests } from '../events/visible-photos.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { ViewedPhoto } from './gallery-state.ts'

/** A guest with a session, or an operator of the event. */
export type Viewer = { kind: 'guest'; guest: GuestCaller } | { kind: 'operator' }

export type PhotoAccess = 'thumbnail' | 'photo' | 'download'

/**
 * Call it before throwing errors of the credential, so that a wrong credential reveals no more than a missing one.
 * Throws NOT_FOUND for drafts and archived events, and GALLERY_EXPIRED, but never for an operator.
 */
export function assertGalleryState(event: EventRow, isOperator: boolean, now: number): void {
  if (isOperator) return
  if (event.is_draft === 1 || event.is_archived === 1) throw new AppError('NOT_FOUND')
  if (isExpired(event, now)) throw new AppError('GALLERY_EXPIRED')
}

/** Throws FORBIDDEN for a session of another gallery, and TOKEN_REVOKED after the access key has changed. */
export function assertGuestSession(event: EventRow, guest: GuestCaller): void {
  if (guest.eventId !== event.id) throw new AppError('FORBIDDEN', { text: 'This session belongs to another gallery.' })
  if (guest.accessKey !== event.access_key) throw new AppError('TOKEN_REVOKED')
}

export const isBeforeReveal = ({ reveal_at }: EventRow, now: number): boolean => reveal_at !== null && now < reveal_at

/** The access check of every file of a photo. Throws NOT_FOUND, DOWNLOAD_DISABLED or EVENT_ARCHIVED. */
export function assertViewable(
  event: EventRow,
  photo: ViewedPhoto | undefined,
  viewer: Pick<Viewer, 'kind'>,
  requestedAccess: PhotoAccess,
  now: number,
): asserts photo is ViewedPhoto {
  if (!photo || photo.event_id !== event.id) throw new AppError('NOT_FOUND')
  if (viewer.kind === 'operator') {
    if (requestedAccess === 'download' && event.is_archived === 1) throw new AppError('EVENT_ARCHIVED')
    return
  }
  if (isBeforeReveal(event, now) || !isVisibleToGuests(photo)) throw new AppError('NOT_FOUND')
  if (requestedAccess === 'download' && !canDownload(event, photo)) throw new AppError('DOWNLOAD_DISABLED')
}

/**
 * Throws NOT_FOUND, DOWNLOAD_DISABLED or EVENT_ARCHIVED. For guests, the calling function must also leave out photos
 * that are hidden or fail `canDownload`.
 */
export function assertZipAllowed(event: EventRow, viewer: Viewer, now: number): void {
  if (viewer.kind === 'operator') {
    if (event.is_archived === 1) throw new AppError('EVENT_ARCHIVED')
    return
  }
  if (isBeforeReveal(event, now)) throw new AppError('NOT_FOUND')
  if (event.allow_downloads !== 1) throw new AppError('DOWNLOAD_DISABLED')
}

/** Returns whether guests see the feedback of others. They always see their own feedback. */
export const showsFeedback = ({ feedback_enabled, show_feedback_to_guests }: EventRow): boolean =>
  feedback_enabled === 1 && show_feedback_to_guests === 1

/**
 * Returns whether guests may download the original of a photo instead of its JPEG. Not if the event has a watermark or
 * a size limit, because these do not apply to originals.
 */
export const canDownloadOriginal = (
  event: EventRow,
  photo: Pick<ViewedPhoto, 'category_allows_downloads' | 'media_type' | 'still_size_bytes'>,
): boolean =>
  event.allow_raw_downloads === 1 &&
  event.watermark_downloads === 0 &&
  event.download_max_px === null &&
  isConverted(photo) &&
  canDownload(event, photo)

/** Returns whether guests see and get a JPEG instead of the original, which has this size. */
export const isConverted = <T extends Pick<ViewedPhoto, 'media_type' | 'still_size_bytes'>>(
  photo: T,
): photo is T & { still_size_bytes: number } => photo.media_type === 'image' && photo.still_size_bytes !== null

export const canDownload = (event: EventRow, photo: Pick<ViewedPhoto, 'category_allows_downloads'>): boolean =>
  event.allow_downloads === 1 && photo.category_allows_downloads !== 0
