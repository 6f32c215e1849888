import type { KnownPhotosReply } from '../../contract/bulk-photos.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { selectEarlier } from './replaced-file-rows.ts'

const hashesPerQuery = 500

/** Returns photo ids by content hash, for hashes that are already in the event. For equal photos, the lowest id. */
export async function findKnownContents(
  { db }: PlatformContext,
  eventId: number,
  hashes: readonly string[],
): Promise<KnownPhotosReply['known']> {
  const uniqueHashes = [...new Set(hashes)]
  const known: KnownPhotosReply['known'] = {}
  for (let start = 0; start < uniqueHashes.length; start += hashesPerQuery) {
    const rows = await db
      .selectFrom('photos')
      .select(({ fn }) => ['content_hash', fn.min('id').as('id')])
      .where('event_id', '=', eventId)
      .where('content_hash', 'in', uniqueHashes.slice(start, start + hashesPerQuery))
      .groupBy('content_hash')
      .execute()
    for (const { content_hash, id } of rows) known[content_hash] = Number(id)
  }
  return known
}

/**
 * Returns the ids of replaced photos by the content hash of an earlier file, as long as that file is kept. Leaves out
 * files of undone replacements.
 */
export async function findEarlierContents(
  { db }: PlatformContext,
  eventId: number,
  hashes: readonly string[],
): Promise<KnownPhotosReply['known']> {
  const asked = new Set(hashes)
  const rows = await selectEarlier(db, eventId).select(['content_hash', 'photo_id']).execute()
  const earlier: KnownPhotosReply['known'] = {}
  for (const { content_hash, photo_id } of rows) {
    if (content_hash !== null && asked.has(content_hash)) earlier[content_hash] = Number(photo_id)
  }
  return earlier
}

/** Returns those of `sizes` (in bytes) that an original of the event, or an earlier one that is kept, has, in ascending order. */
export async function findKnownSizes(
  { db }: PlatformContext,
  eventId: number,
  sizes: readonly number[],
): Promise<number[]> {
  if (sizes.length === 0) return []
  const rows = await db
    .selectFrom('photos')
    .select('size_bytes')
    .where('event_id', '=', eventId)
    .where('size_bytes', 'in', [...new Set(sizes)])
    .union(
      selectEarlier(db, eventId)
        .select('size_bytes')
        .where('size_bytes', 'in', [...new Set(sizes)]),
    )
    .orderBy('size_bytes')
    .execute()
  return rows.map(({ size_bytes }) => Number(size_bytes))
}
