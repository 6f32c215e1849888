import { api, unwrap } from '../../api/api.ts'
import { language, translator } from '../../app/language.ts'
import { confirm } from '../../components/confirm.tsx'
import { showNotice } from '../../components/notices.tsx'
import { runInChunks } from '../model/bulk-progress.ts'
import { findCachedPhotos, invalidatePhotos } from '../model/photo-queries.ts'

const t = translator('photos')

const photosPerRequest = 500
const maxListedNames = 3

/** Deletes photos after a confirmation. Resolves to false only if the user cancels; shows errors of requests. */
export async function deletePhotos(eventId: number, ids: readonly number[]): Promise<boolean> {
  const isConfirmed = await confirm({
    title: t('deleteTitle', { count: ids.length }),
    text: `${listNames(eventId, ids)} ${t('deleteText')}`,
    action: t('deleteAction', { count: ids.length }),
  })
  if (!isConfirmed) return false
  const params = { path: { event_id: eventId } }
  let count = 0
  const isDone = await runInChunks(ids, {
    size: photosPerRequest,
    label: t('deleting'),
    action: async (photoIds) => {
      const body = { photoIds }
      count += (await unwrap(api.POST('/api/admin/photos/{event_id}/photos/bulk-delete', { params, body }))).deleted
    },
  })
  if (isDone) showNotice(t('deletedNow', { count }))
  await invalidatePhotos(eventId)
  return true
}

function listNames(eventId: number, ids: readonly number[]): string {
  const known = findCachedPhotos(eventId, new Set(ids.slice(0, 50)))
  const names = ids.flatMap((id) => known.get(id)?.source_filename ?? []).slice(0, maxListedNames)
  const more = ids.length - names.length
  if (names.length === 0) return ''
  const listed = more > 0 ? [...names, t('moreNames', { count: more })] : names
  return `${new Intl.ListFormat(language).format(listed)}.`
}
