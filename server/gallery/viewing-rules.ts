import type { GuestCaller } from '../access/callers.ts'
import type { EventRow } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { AppError } from '../platform/app-error.ts'
import type { ViewedPhoto } from './gallery-state.ts'

/** Whoever stands before a gallery: a guest with a session, or one of the event's owners looking in. */
export type Viewer = { kind: 'guest'; guest: GuestCaller } | { kind: 'operator' }

/** What somebody wants of a photo. */
export type Wish = 'thumbnail' | 'photo' | 'download'

/**
 * The state of the gallery, checked before any credential: drafts and archived ones do not exist for
 * guests, expired ones are gone. Owners see them all.
 */
export function assertGalleryState(event: EventRow, isOperator: boolean, now: number): void {
  if (isOperator) return
  if (event.is_draft === 1 || event.is_archived === 1) throw new AppError('NOT_FOUND')
  if (isExpired(event, now)) throw new AppError('GALLERY_EXPIRED')
}

/** A guest session opens one gallery, as long as the event's access key is the one it was given. */
export function assertGuest(event: EventRow, guest: GuestCaller): void {
  if (guest.eventId !== event.id) throw new AppError('FORBIDDEN', { text: 'This session belongs to another gallery.' })
  if (guest.accessKey !== event.access_key) throw new AppError('TOKEN_REVOKED')
}

/** Before `reveal_at` there is nothing to see yet. */
export const isBeforeReveal = ({ reveal_at }: EventRow, now: number): boolean => reveal_at !== null && now < reveal_at

/** The one policy for every byte of a photo. Throws NOT_FOUND, DOWNLOAD_DISABLED or EVENT_ARCHIVED. */
export function assertViewable(
  event: EventRow,
  photo: ViewedPhoto | undefined,
  viewer: Viewer,
  wish: Wish,
  now: number,
): void {
  if (!photo || photo.event_id !== event.id) throw new AppError('NOT_FOUND')
  if (viewer.kind === 'operator') {
    if (wish === 'download' && event.is_archived === 1) throw new AppError('EVENT_ARCHIVED')
    return
  }
  if (isBeforeReveal(event, now) || photo.visibility !== 'visible') throw new AppError('NOT_FOUND')
  if (wish === 'download' && !mayDownload(event, photo)) throw new AppError('DOWNLOAD_DISABLED')
}

/**
 * The same policy ahead of a ZIP: what is to be checked of each photo is its visibility and `mayDownload`. Throws
 * NOT_FOUND, DOWNLOAD_DISABLED or EVENT_ARCHIVED.
 */
export function assertZipAllowed(event: EventRow, viewer: Viewer, now: number): void {
  if (viewer.kind === 'operator') {
    if (event.is_archived === 1) throw new AppError('EVENT_ARCHIVED')
    return
  }
  if (isBeforeReveal(event, now)) throw new AppError('NOT_FOUND')
  if (event.allow_downloads !== 1) throw new AppError('DOWNLOAD_DISABLED')
}

/**
 * Whether guests see what others have given; their own they always see. Feedback that is switched off is not shown
 * either.
 */
export const showsFeedback = ({ feedback_enabled, show_feedback_to_guests }: EventRow): boolean =>
  feedback_enabled === 1 && show_feedback_to_guests === 1

/** The switch of the event and that of the photo's category. */
export const mayDownload = (event: EventRow, photo: Pick<ViewedPhoto, 'category_allows_downloads'>): boolean =>
  event.allow_downloads === 1 && photo.category_allows_downloads !== 0
