import type { GalleryInfo, GalleryPhoto } from '../../contract/gallery/gallery.ts'
import type { EventRow } from '../events/event-rows.ts'
import { expiryTime, isExpired } from '../events/event-rules.ts'
import { guestMarks } from '../feedback/marks/mark-joins.ts'
import type { OwnFeedback } from '../feedback/own-feedback.ts'
import {
  canDownload,
  canDownloadOriginal,
  isBeforeReveal,
  isConverted,
  showsFeedback,
} from '../gallery-access/viewing-rules.ts'
import type { ListedPhoto } from '../photos/listed-photos.ts'
import { imageKinds } from '../platform/media/image-kinds.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'

/** Public: anybody with the slug can read it. */
export const galleryInfo = (event: EventRow, now: number): GalleryInfo => ({
  event_name: event.event_name,
  event_type: event.event_type,
  event_date: event.event_date,
  expires_at: expiryTime(event),
  is_active: !isExpired(event, now) && event.is_archived === 0,
  is_expired: isExpired(event, now),
  requires_password: event.require_password === 1,
  theme_preset: event.theme_preset,
  color_theme: event.theme_preset,
  header_style: event.header_style,
  allow_downloads: event.allow_downloads === 1,
  allow_user_uploads: event.allow_user_uploads === 1,
  default_photo_sort: event.default_photo_sort,
  feedback_enabled: event.feedback_enabled === 1,
  hidden_until_reveal: isBeforeReveal(event, now),
  reveal_at: isoTimeOrNull(event.reveal_at),
})

/** Includes the feedback of all guests only if the event shows it to guests. */
export function galleryPhoto(event: EventRow, row: ListedPhoto, own: OwnFeedback): GalleryPhoto {
  return {
    id: row.id,
    filename: row.filename,
    original_filename: row.original_filename,
    url: `/api/gallery/${event.slug}/photo/${row.id}`,
    thumbnail_url: `/api/gallery/${event.slug}/thumbnail/${row.id}`,
    type: row.type,
    category_id: row.category_id,
    category_name: row.category_name,
    allow_download: canDownload(event, row),
    allow_original_download: canDownloadOriginal(event, row),
    size_bytes: isConverted(row) ? row.still_size_bytes : row.size_bytes,
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash,
    media_type: row.media_type,
    mime_type: isConverted(row) ? imageKinds.jpeg.mimeType : row.mime_type,
    duration: row.duration,
    captured_at: isoTimeOrNull(row.captured_at),
    uploaded_at: isoTime(row.uploaded_at),
    ...guestMarks(showsFeedback(event) ? row : null),
    ...own,
  }
}
