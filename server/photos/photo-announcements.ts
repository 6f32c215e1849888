import { eventData } from '../events/event-announcements.ts'
import type { EventRow } from '../events/event-rows.ts'
import { recordLiveEvent } from '../feedback/live-event-rows.ts'
import type { Tx } from '../platform/database/tables.ts'
import { announce, announceEach } from '../webhooks/announce.ts'
import type { PhotoRow } from './photo-rows.ts'

/** `origin`: the start of the links in announcements, such as `https://photos.example`. */
type AnnouncementContext = { event: EventRow; origin: string; now: number }

/** Announces the upload to webhooks, and records it for the live view. */
export async function announceUpload(
  tx: Tx,
  photo: PhotoRow,
  { event, replaced = false, origin, now }: AnnouncementContext & { replaced?: boolean },
): Promise<void> {
  await announce(tx, 'photo.uploaded', { event: eventData(event, origin), photo: photoData(photo, replaced) }, now)
  const data = { did: replaced ? 'replaced' : 'uploaded', uploaded_by: photo.uploaded_by } as const
  await recordLiveEvent(tx, { type: 'photo', event_id: event.id, photo_id: photo.id, data }, now)
}

export async function announceDeletions(
  tx: Tx,
  photos: readonly PhotoRow[],
  { event, origin, now }: AnnouncementContext,
): Promise<void> {
  const payloads = photos.map((photo) => ({ event: eventData(event, origin), photo: photoData(photo, false) }))
  await announceEach(tx, 'photo.deleted', payloads, now)
}

const photoData = (photo: PhotoRow, replaced: boolean) => ({
  id: photo.id,
  filename: photo.filename,
  original_filename: photo.original_filename,
  source_filename: photo.source_filename,
  size_bytes: photo.size_bytes,
  width: photo.width,
  height: photo.height,
  category_id: photo.category_id,
  replaced,
})
