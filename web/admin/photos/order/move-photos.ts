import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { runInChunks } from '../model/bulk-progress.ts'
import { fetchPhotoIds, invalidatePhotos, type Photo } from '../model/photo-queries.ts'
import type { PhotoSearch } from '../model/photo-search.ts'
import { findMoveTarget } from './move-target.ts'

const t = translator('photos')

/** The maximum of the API. */
const photosPerRequest = 500

type PhotoList = {
  eventId: number
  search: PhotoSearch
  count: number
  photoAt: (index: number) => Photo | null
}

export type PhotoMove = { ids: readonly number[]; from: number; insertAt: number }

/**
 * Puts photos before the index `insertAt` of the list, in the order of the list. Returns the new index of the first one
 * after the list is loaded again, or null if nothing was moved. Shows errors as notices.
 */
export async function movePhotos(
  { eventId, search, count, photoAt }: PhotoList,
  { ids, from, insertAt }: PhotoMove,
): Promise<number | null> {
  const moved = new Set(ids)
  if (moved.size === 1 && (insertAt === from || insertAt === from + 1)) return null
  const around = { insertAt, count, moved }
  const known = moved.size === 1 ? findMoveTarget(around, (index) => photoAt(index)?.id ?? null) : null
  const list = known ? null : await fetchPhotoIds(eventId, search)
  const target = known ?? (list && findMoveTarget({ ...around, count: list.length }, (index) => list[index] ?? null))
  if (!target) return null
  const ordered = list ? list.filter((id) => moved.has(id)) : [...ids]
  const before = list ? list.slice(0, insertAt).filter((id) => moved.has(id)).length : Number(from < insertAt)
  if (!(await sendMoves(eventId, ordered, target))) return null
  await invalidatePhotos(eventId)
  return insertAt - before
}

function sendMoves(
  eventId: number,
  ids: readonly number[],
  target: NonNullable<ReturnType<typeof findMoveTarget>>,
): Promise<boolean> {
  let { place, photo_id } = target
  return runInChunks(ids, {
    size: photosPerRequest,
    label: t('moving'),
    action: async (photoIds) => {
      const params = { path: { event_id: eventId } }
      await unwrap(api.PUT('/api/admin/photos/{event_id}/order', { params, body: { photoIds, place, photo_id } }))
      // The next ones follow these.
      place = 'after'
      photo_id = photoIds.at(-1) ?? photo_id
    },
  })
}
