import { api, must, type Wire } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { inPieces } from './in-turns.ts'
import { askAgain, askIds, knownPhotos, type Photo, showAtOnce } from './photo-queries.ts'
import { showRunning } from './running-action.ts'

const t = translator('photos')

/** Smaller than the API allows, so that the progress bar moves. */
const photosOfACall = 1_000

/** A category id, a legacy photo type, or null for no category. */
export type Place = Exclude<Wire['Photo']['category_id'] | 'individual' | 'collage', undefined>

/** Hides or shows photos for guests. Undo restores only the photos that this call changed. */
export async function setVisibility(
  eventId: number,
  ids: readonly number[],
  visibility: Photo['visibility'],
): Promise<void> {
  const other = visibility === 'hidden' ? 'visible' : 'hidden'
  const known = knownPhotos(eventId, new Set(ids))
  const isKnown = ids.every((id) => known.has(id))
  const others = isKnown ? null : new Set(await askIds(eventId, { visibility: other }))
  const turned = ids.filter((id) => (others ? others.has(id) : known.get(id)?.visibility === other))
  if (!(await change(eventId, ids, { visibility }, (photo) => ({ ...photo, visibility })))) return
  showNotice(t(visibility === 'hidden' ? 'hiddenNow' : 'shownNow', { count: ids.length }), {
    ...(turned.length > 0 && { undo: () => void setBack(eventId, turned, other) }),
  })
}

async function setBack(eventId: number, ids: readonly number[], visibility: Photo['visibility']): Promise<void> {
  if (await change(eventId, ids, { visibility }, (photo) => ({ ...photo, visibility }))) showNotice(t('undone'))
}

export async function setPlace(eventId: number, ids: readonly number[], place: Place, name: string): Promise<void> {
  const known = knownPhotos(eventId, new Set(ids))
  if (!(await change(eventId, ids, { category_id: place }, (photo) => placed(photo, place, name)))) return
  const isUndoable = ids.every((id) => known.has(id))
  showNotice(t('placedNow', { count: ids.length, name }), {
    ...(isUndoable && { undo: () => void placeBack(eventId, [...known.values()]) }),
  })
}

async function placeBack(eventId: number, photos: readonly Photo[]): Promise<void> {
  const byPlace = Map.groupBy(photos, ({ category_id: id, type }) => id ?? type)
  for (const [place, those] of byPlace) {
    const ids = those.map(({ id }) => id)
    if (!(await change(eventId, ids, { category_id: place }, (photo) => placed(photo, place, null)))) return
  }
  showNotice(t('undone'))
}

const placed = (photo: Photo, place: Place, name: string | null): Photo => ({
  ...photo,
  category_id: typeof place === 'number' ? place : null,
  type: typeof place === 'string' ? place : null,
  category: typeof place === 'number' ? name : null,
})

/** Optimistic update: rolls the lists back and shows an error if a request fails. Resolves to true on success. */
async function change(
  eventId: number,
  ids: readonly number[],
  updates: { visibility: Photo['visibility'] } | { category_id: Place },
  shown: (photo: Photo) => Photo,
): Promise<boolean> {
  const turnBack = showAtOnce(eventId, new Set(ids), shown)
  const pieces = inPieces(ids, photosOfACall)
  try {
    for (const [index, photoIds] of pieces.entries()) {
      await must(
        api.POST('/api/admin/photos/{event_id}/photos/bulk-update', {
          params: { path: { event_id: eventId } },
          body: { photoIds, updates },
        }),
      )
      if (pieces.length > 1) showRunning({ label: t('changing'), done: index + 1, total: pieces.length })
    }
    return true
  } catch (error) {
    turnBack()
    showNotice(errorMessage(error), { isAlarm: true })
    return false
  } finally {
    showRunning(null)
    await askAgain(eventId)
  }
}
