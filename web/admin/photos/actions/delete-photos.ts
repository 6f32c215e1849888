import { api, unwrap } from '../../api/api.ts'
import { language, translator } from '../../app/language.ts'
import { confirm } from '../../components/confirm.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { showNotice } from '../../components/notices.tsx'
import { showBulkProgress } from '../model/bulk-progress.ts'
import { splitIntoChunks } from '../model/concurrency.ts'
import { findCachedPhotos, invalidatePhotos } from '../model/photo-queries.ts'

const t = translator('photos')

const photosPerRequest = 500
const maxListedNames = 3

/** Deletes photos after a confirmation. Resolves to false if the user cancels. */
export async function deletePhotos(eventId: number, ids: readonly number[]): Promise<boolean> {
  const isConfirmed = await confirm({
    title: t('deleteTitle', { count: ids.length }),
    text: `${listNames(eventId, ids)} ${t('deleteText')}`,
    action: t('deleteAction', { count: ids.length }),
  })
  if (!isConfirmed) return false
  const chunks = splitIntoChunks(ids, photosPerRequest)
  let deleted = 0
  try {
    for (const [index, photoIds] of chunks.entries()) {
      const reply = await unwrap(
        api.POST('/api/admin/photos/{event_id}/photos/bulk-delete', {
          params: { path: { event_id: eventId } },
          body: { photoIds },
        }),
      )
      deleted += reply.deleted
      if (chunks.length > 1) showBulkProgress({ label: t('deleting'), done: index + 1, total: chunks.length })
    }
    showNotice(t('deletedNow', { count: deleted }))
  } catch (error) {
    showNotice(errorMessage(error), { isAlarm: true })
  } finally {
    showBulkProgress(null)
    await invalidatePhotos(eventId)
  }
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
