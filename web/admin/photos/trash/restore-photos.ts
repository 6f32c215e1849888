import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { confirm } from '../../components/confirm.tsx'
import { showNotice } from '../../components/notices.tsx'
import { requestTrashedPhotos } from '../../events/trash/trash-queries.ts'
import { runInChunks } from '../model/bulk-progress.ts'
import { invalidatePhotos } from '../model/photo-queries.ts'

const t = translator('trash')

const photosPerRequest = 500

/** Shows errors of requests. */
export async function restorePhotos(eventId: number, ids: readonly number[]): Promise<void> {
  let count = 0
  await runInChunks(ids, {
    size: photosPerRequest,
    label: t('restoring'),
    action: async (photoIds) => {
      count += await requestRestore(eventId, photoIds)
    },
  })
  if (count > 0) showNotice(t('restored', { count }))
  await invalidatePhotos(eventId)
}

/** Restores all photos that are in the trash of the event. Rejects with the error of a request. */
export async function restoreAllPhotos(eventId: number): Promise<void> {
  let count = 0
  try {
    for (;;) {
      const { photos } = await requestTrashedPhotos(eventId, 1)
      if (photos.length === 0) break
      const photoIds = photos.map(({ id }) => id)
      const restored = await requestRestore(eventId, photoIds)
      if (restored === 0) break
      count += restored
    }
    showNotice(t('restored', { count }))
  } finally {
    await invalidatePhotos(eventId)
  }
}

async function requestRestore(eventId: number, photoIds: number[]): Promise<number> {
  const params = { path: { event_id: eventId } }
  const body = { photoIds }
  return (await unwrap(api.POST('/api/admin/photos/{event_id}/trash/bulk-restore', { params, body }))).restored
}

/** Asks first. Resolves to false if the user cancels. Rejects with the error of a request. */
export async function deleteTrashedPhotos(eventId: number, photoIds: number[]): Promise<boolean> {
  const count = photoIds.length
  if (!(await askBeforeDelete(t('deletePhotosTitle', { count })))) return false
  const params = { path: { event_id: eventId } }
  const body = { photoIds }
  const { deleted } = await unwrap(api.POST('/api/admin/photos/{event_id}/trash/bulk-delete', { params, body }))
  await showDeleted(eventId, deleted)
  return true
}

/** Asks first. Rejects with the error of a request. */
export async function emptyPhotoTrash(eventId: number): Promise<void> {
  if (!(await askBeforeDelete(t('emptyTitle')))) return
  const params = { path: { event_id: eventId } }
  await showDeleted(eventId, (await unwrap(api.DELETE('/api/admin/photos/{event_id}/trash', { params }))).deleted)
}

const askBeforeDelete = (title: string): Promise<boolean> =>
  confirm({ title, text: t('deletePhotosText'), action: t('deleteForGood') })

async function showDeleted(eventId: number, count: number): Promise<void> {
  showNotice(t('deleted', { count }))
  await invalidatePhotos(eventId)
}
