import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { showNotice } from '../../components/notices.tsx'
import { runInChunks } from '../model/bulk-progress.ts'
import { invalidatePhotos } from '../model/photo-queries.ts'
import { restorePhotos } from '../trash/restore-photos.ts'

const t = translator('photos')

const photosPerRequest = 500

/** Moves photos to the trash and offers to undo this. Shows errors of requests. */
export async function trashPhotos(eventId: number, ids: readonly number[]): Promise<void> {
  const params = { path: { event_id: eventId } }
  let count = 0
  await runInChunks(ids, {
    size: photosPerRequest,
    label: t('trashing'),
    action: async (photoIds) => {
      const body = { photoIds }
      count += (await unwrap(api.POST('/api/admin/photos/{event_id}/trash', { params, body }))).trashed
    },
  })
  if (count > 0) showNotice(t('trashed', { count }), { undo: () => void restorePhotos(eventId, ids) })
  await invalidatePhotos(eventId)
}
