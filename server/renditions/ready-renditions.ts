import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { RenditionRequest, RenditionRow } from './rendition-rows.ts'

export type ReadyRendition = Pick<RenditionRow, 'photo_id' | 'filename' | 'size_bytes' | 'crc32' | 'sha256'>

/** With more ids, all rows of the event are read and filtered here. */
const maxListedIds = 500

/** Does not check the files; `Renditions.remake` makes a missing one again. */
export async function findReadyRenditions(
  db: Database,
  eventId: number,
  photoIds: readonly number[],
  { profile, bound_px, format }: RenditionRequest,
): Promise<Map<number, ReadyRendition>> {
  if (photoIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('photo_renditions as made')
    .innerJoin('photos', 'photos.id', 'made.photo_id')
    .select(['made.photo_id', 'made.filename', 'made.size_bytes', 'made.crc32', 'made.sha256'])
    .where('made.event_id', '=', eventId)
    .whereRef('made.content_hash', '=', 'photos.content_hash')
    .where('made.variant', '=', profile.variant)
    .where('made.bound_px', '=', bound_px)
    .where('made.format', '=', format)
    .$if(photoIds.length <= maxListedIds, (query) => query.where('made.photo_id', 'in', [...photoIds]))
    .execute()
  const requestedIds = new Set(photoIds)
  return new Map(rows.filter(({ photo_id }) => requestedIds.has(photo_id)).map((row) => [row.photo_id, row]))
}

/** Starts before all other background work. Repeated calls are harmless. */
export const requestRenditionsSoon = ({ changes }: PlatformContext, eventId: number): void =>
  changes.notify('wished-renditions', eventId)
