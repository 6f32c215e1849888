import type { KnownPhotosReply } from '../../contract/bulk-photos.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

const hashesPerQuery = 500

/**
 * Returns photo ids by content hash, for hashes that are already in the event. For equal photos, the lowest id. An earlier file
 * of a replaced photo is known as long as it is kept.
 */
export async function findKnownContents(
  { db }: PlatformContext,
  eventId: number,
  hashes: readonly string[],
): Promise<KnownPhotosReply['known']> {
  const uniqueHashes = [...new Set(hashes)]
  const known: KnownPhotosReply['known'] = {}
  for (let start = 0; start < uniqueHashes.length; start += hashesPerQuery) {
    const asked = uniqueHashes.slice(start, start + hashesPerQuery)
    const rows = await db
      .selectFrom('photos')
      .select(({ fn }) => ['content_hash', fn.min('id').as('id')])
      .where('event_id', '=', eventId)
      .where('content_hash', 'in', asked)
      .groupBy('content_hash')
      .execute()
    const earlier = await db
      .selectFrom('replaced_files')
      .select(['content_hash', 'photo_id as id'])
      .where('event_id', '=', eventId)
      .where('content_hash', 'in', asked)
      .execute()
    for (const { content_hash, id } of [...earlier, ...rows]) if (content_hash) known[content_hash] = Number(id)
  }
  return known
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
      db
        .selectFrom('replaced_files')
        .select('size_bytes')
        .where('event_id', '=', eventId)
        .where('size_bytes', 'in', [...new Set(sizes)]),
    )
    .orderBy('size_bytes')
    .execute()
  return rows.map(({ size_bytes }) => Number(size_bytes))
}
