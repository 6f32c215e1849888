import { eventData } from '../events/event-announcements.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { Tx } from '../platform/database/tables.ts'
import { noteLiveEvent } from '../proofing/live-event-rows.ts'
import { announce } from '../webhooks/announce.ts'
import type { PhotoRow } from './photo-rows.ts'

type Telling = { event: EventRow; photo: PhotoRow; replaced?: boolean; origin: string; now: number }

/**
 * Tells of a new, replaced or deleted photo; of a deleted one as it was before (decisions §9). Operators who watch are
 * told of files that came in.
 */
export async function announcePhoto(
  tx: Tx,
  type: 'photo.uploaded' | 'photo.deleted',
  { event, photo, replaced = false, origin, now }: Telling,
): Promise<void> {
  await announce(tx, type, { event: eventData(event, origin), photo: { ...photoData(photo), replaced } }, now)
  if (type === 'photo.deleted') return
  const data = { did: replaced ? 'replaced' : 'uploaded', uploaded_by: photo.uploaded_by } as const
  await noteLiveEvent(tx, { type: 'photo', event_id: event.id, photo_id: photo.id, data }, now)
}

const photoData = (photo: PhotoRow) => ({
  id: photo.id,
  filename: photo.filename,
  original_filename: photo.original_filename,
  source_filename: photo.source_filename,
  size_bytes: photo.size_bytes,
  width: photo.width,
  height: photo.height,
  category_id: photo.category_id,
})
