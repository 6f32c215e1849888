import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { RenditionRow, RenditionWish } from './rendition-rows.ts'

/** What an archive has to know of a kept picture; its bytes stand under `renditionKey(event_id, filename)`. */
export type ReadyRendition = Pick<RenditionRow, 'photo_id' | 'filename' | 'size_bytes' | 'crc32' | 'sha256'>

/** Above so many ids all of the event are read and chosen from here: one query either way. */
const maxListedIds = 500

/**
 * Which of these photos have the picture wished for, of their present file, by photo id: one query however many they
 * are. It says what the rows say; a file that has gone since is found out by whoever opens it, and `Renditions.remake`
 * makes it again.
 */
export async function findReadyRenditions(
  db: Database,
  eventId: number,
  photoIds: readonly number[],
  { look, bound_px, format }: RenditionWish,
): Promise<Map<number, ReadyRendition>> {
  if (photoIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('photo_renditions as made')
    .innerJoin('photos', 'photos.id', 'made.photo_id')
    .select(['made.photo_id', 'made.filename', 'made.size_bytes', 'made.crc32', 'made.sha256'])
    .where('made.event_id', '=', eventId)
    .whereRef('made.content_hash', '=', 'photos.content_hash')
    .where('made.variant', '=', look.variant)
    .where('made.bound_px', '=', bound_px)
    .where('made.format', '=', format)
    .$if(photoIds.length <= maxListedIds, (query) => query.where('made.photo_id', 'in', [...photoIds]))
    .execute()
  const wanted = new Set(photoIds)
  return new Map(rows.filter(({ photo_id }) => wanted.has(photo_id)).map((row) => [row.photo_id, row]))
}

/**
 * Has the pictures that stand for the full size of this event's photos made next, ahead of all else that is warmed. It
 * returns at once; asking again while they are being made costs nothing, and what a restart interrupts goes on after it.
 */
export const wishRenditionsSoon = ({ changes }: PlatformContext, eventId: number): void =>
  changes.tell('wished-renditions', eventId)
