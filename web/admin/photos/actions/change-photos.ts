import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import { changeEvent, updateCachedEvent } from '../../events/event-queries.ts'
import { runInChunks } from '../model/bulk-progress.ts'
import {
  fetchPhotoIds,
  findCachedPhotos,
  invalidatePhotos,
  type Photo,
  updateCachedPhotos,
} from '../model/photo-queries.ts'

const t = translator('photos')

/** Smaller than the API allows, so that the progress bar moves. */
const photosPerRequest = 1_000

/** A category id, a legacy photo type, or null for no category. */
export type PhotoCategory = Exclude<Schemas['Photo']['category_id'] | 'individual' | 'collage', undefined>

export const setCover = (eventId: number, { id, source_filename: name }: Photo): Promise<void> =>
  changeEvent(eventId, { cover_photo_id: id })
    .then(updateCachedEvent)
    .then(() => showNotice(t('coverNow', { name })), showError)

/**
 * Hides or shows photos for guests. They no longer wait for a review. Undo restores only the visibility and the review
 * that this call changed. Resolves to true on success; shows errors as notices.
 */
export const setVisibility = (
  eventId: number,
  ids: readonly number[],
  visibility: Photo['visibility'],
): Promise<boolean> =>
  changeVisibility(eventId, ids, visibility).catch((error) => {
    showError(error)
    return false
  })

async function changeVisibility(
  eventId: number,
  ids: readonly number[],
  visibility: Photo['visibility'],
): Promise<boolean> {
  const other = visibility === 'hidden' ? 'visible' : 'hidden'
  const known = findCachedPhotos(eventId, new Set(ids))
  const isKnown = ids.every((id) => known.has(id))
  const others = isKnown ? null : new Set(await fetchPhotoIds(eventId, { visibility: other }))
  const changedIds = ids.filter((id) => (others ? others.has(id) : known.get(id)?.visibility === other))
  const waiting = isKnown ? null : new Set(await fetchPhotoIds(eventId, { review: 'waiting' }))
  const isWaiting = (id: number) => (waiting ? waiting.has(id) : known.get(id)?.awaits_review === true)
  const waitingIds = ids.filter(isWaiting)
  const reviewedIds = changedIds.filter((id) => !isWaiting(id))
  const restore = async () => {
    const isRestored =
      (reviewedIds.length === 0 || (await updateVisibility(eventId, reviewedIds, other))) &&
      (waitingIds.length === 0 || (await updateVisibility(eventId, waitingIds, 'hidden', true)))
    if (isRestored) showNotice(t('undone'))
  }
  if (!(await updateVisibility(eventId, ids, visibility))) return false
  const hiddenText = changedIds.length > 0 ? 'hiddenNow' : 'stillHidden'
  showNotice(t(visibility === 'hidden' ? hiddenText : 'shownNow', { count: ids.length }), {
    ...(changedIds.length + waitingIds.length > 0 && { undo: () => void restore() }),
  })
  return true
}

function updateVisibility(
  eventId: number,
  ids: readonly number[],
  visibility: Photo['visibility'],
  awaits_review = false,
): Promise<boolean> {
  const updates = { visibility, ...(awaits_review && { awaits_review }) }
  return updatePhotos(eventId, ids, updates, (photo) => ({ ...photo, visibility, awaits_review }))
}

export async function setPhotoCategory(
  eventId: number,
  ids: readonly number[],
  target: PhotoCategory,
  name: string,
): Promise<void> {
  const known = findCachedPhotos(eventId, new Set(ids))
  if (!(await updateCategory(eventId, ids, target, name))) return
  const isUndoable = ids.every((id) => known.has(id))
  showNotice(t('placedNow', { count: ids.length, name }), {
    ...(isUndoable && { undo: () => void restoreCategories(eventId, [...known.values()]) }),
  })
}

async function restoreCategories(eventId: number, photos: readonly Photo[]): Promise<void> {
  const byCategory = Map.groupBy(photos, ({ category_id: id, type }) => id ?? type)
  for (const [target, photosOfCategory] of byCategory) {
    const ids = photosOfCategory.map(({ id }) => id)
    if (!(await updateCategory(eventId, ids, target, null))) return
  }
  showNotice(t('undone'))
}

const updateCategory = (eventId: number, ids: readonly number[], target: PhotoCategory, name: string | null) =>
  updatePhotos(eventId, ids, { category_id: target }, (photo) => ({
    ...photo,
    category_id: typeof target === 'number' ? target : null,
    type: typeof target === 'string' ? target : null,
    category: typeof target === 'number' ? name : null,
  }))

/** Optimistic update: restores the cached photos and shows an error if a request fails. Resolves to true on success. */
async function updatePhotos(
  eventId: number,
  ids: readonly number[],
  updates: { visibility: Photo['visibility']; awaits_review?: boolean } | { category_id: PhotoCategory },
  applyChange: (photo: Photo) => Photo,
): Promise<boolean> {
  const rollBack = updateCachedPhotos(eventId, new Set(ids), applyChange)
  const params = { path: { event_id: eventId } }
  const isDone = await runInChunks(ids, {
    size: photosPerRequest,
    label: t('changing'),
    action: (photoIds) =>
      unwrap(api.POST('/api/admin/photos/{event_id}/photos/bulk-update', { params, body: { photoIds, updates } })),
  })
  if (!isDone) rollBack()
  await invalidatePhotos(eventId)
  return isDone
}
