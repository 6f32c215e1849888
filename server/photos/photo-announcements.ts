import type { CompiledQuery } from 'kysely'
import { eventData } from '../events/event-announcements.ts'
import type { EventRow } from '../events/event-rows.ts'
import { insertLiveEvent } from '../events/live/live-event-rows.ts'
import type { Tx } from '../platform/database/tables.ts'
import { announceEach, announceTo, type SubscribedWebhook, selectSubscribed } from '../webhooks/announce.ts'
import type { PhotoRow } from './photo-rows.ts'

/** `origin`: the start of the links in announcements, such as `https://photos.example`. */
type AnnouncementContext = { event: EventRow; origin: string; now: number }

type UploadContext = AnnouncementContext & {
  replaced?: boolean
  /** The number of a version that was added as such. */
  version?: number
  subscribed: readonly SubscribedWebhook[]
}

/** Selects the webhooks that `announceUpload` announces to. */
export const selectUploadWebhooks = (tx: Tx) => selectSubscribed(tx, 'photo.uploaded')

/** Announces the upload to webhooks. Returns the query that records it for the live view; it is still to be run. */
export async function announceUpload(
  tx: Tx,
  photo: PhotoRow,
  { event, replaced = false, version, subscribed, origin, now }: UploadContext,
): Promise<CompiledQuery> {
  const message = {
    event: eventData(event, origin),
    photo: { ...photoData(photo, replaced), ...(version !== undefined && { version }) },
  }
  await announceTo(tx, subscribed, 'photo.uploaded', [message], now)
  const data = { did: replaced ? 'replaced' : 'uploaded', uploaded_by: photo.uploaded_by } as const
  return insertLiveEvent(tx, { type: 'photo', event_id: event.id, photo_id: photo.id, data }, now)
}

/** The same message as that of an upload, with `restored: true`. */
export const announceRestored = (tx: Tx, photos: readonly PhotoRow[], { event, origin, now }: AnnouncementContext) =>
  announceEach(
    tx,
    'photo.uploaded',
    photos.map((photo) => ({ event: eventData(event, origin), photo: { ...photoData(photo, false), restored: true } })),
    now,
  )

export async function announceDeletions(
  tx: Tx,
  photos: readonly PhotoRow[],
  { event, origin, now }: AnnouncementContext,
): Promise<void> {
  const payloads = photos.map((photo) => ({ event: eventData(event, origin), photo: photoData(photo, false) }))
  await announceEach(tx, 'photo.deleted', payloads, now)
}

export const photoData = (photo: PhotoRow, replaced: boolean) => ({
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
