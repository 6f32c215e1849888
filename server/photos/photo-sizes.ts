import type { Database } from '../platform/database/tables.ts'

export type SizedPhoto = [id: number, width: number | null, height: number | null]

/** Limits the parameters of one statement. */
const idsPerQuery = 1_000

/** Unknown ids are left out. */
export async function loadPhotoSizes(db: Database, eventId: number, ids: readonly number[]): Promise<SizedPhoto[]> {
  const sizes = new Map<number, SizedPhoto>()
  for (let from = 0; from < ids.length; from += idsPerQuery) {
    const rows = await db
      .selectFrom('photos')
      .select(['id', 'width', 'height'])
      .where('event_id', '=', eventId)
      .where('id', 'in', ids.slice(from, from + idsPerQuery))
      .execute()
    for (const { id, width, height } of rows) sizes.set(id, [id, width, height])
  }
  return ids.flatMap((id) => {
    const size = sizes.get(id)
    return size ? [size] : []
  })
}
