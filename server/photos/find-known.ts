import type { KnownReply } from '../../contract/bulk-photos.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

const hashesAtOnce = 500

/** Returns the oldest photo of the event for each content hash that it already has. */
export async function findKnown(
  { db }: PlatformContext,
  eventId: number,
  hashes: readonly string[],
): Promise<KnownReply['known']> {
  const wanted = [...new Set(hashes)]
  const known: KnownReply['known'] = {}
  for (let start = 0; start < wanted.length; start += hashesAtOnce) {
    const rows = await db
      .selectFrom('photos')
      .select(({ fn }) => ['content_hash', fn.min('id').as('id')])
      .where('event_id', '=', eventId)
      .where('content_hash', 'in', wanted.slice(start, start + hashesAtOnce))
      .groupBy('content_hash')
      .execute()
    for (const { content_hash, id } of rows) known[content_hash] = Number(id)
  }
  return known
}

/** Returns the sizes in ascending order. */
export async function findKnownSizes(
  { db }: PlatformContext,
  eventId: number,
  sizes: readonly number[],
): Promise<number[]> {
  if (sizes.length === 0) return []
  const rows = await db
    .selectFrom('photos')
    .select('size_bytes')
    .distinct()
    .where('event_id', '=', eventId)
    .where('size_bytes', 'in', [...new Set(sizes)])
    .orderBy('size_bytes')
    .execute()
  return rows.map(({ size_bytes }) => Number(size_bytes))
}
