import { api, must } from '../api/api.ts'
import { language, translator } from '../desk/language.ts'
import { confirm } from '../parts/confirm.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { inPieces } from './in-turns.ts'
import { askAgain, knownPhotos } from './photo-queries.ts'
import { showRunning } from './running-action.ts'

const t = translator('photos')

const photosOfACall = 500
const namesToSay = 3

/** Deletes photos after a confirmation. Resolves to false if the user cancels. */
export async function deletePhotos(eventId: number, ids: readonly number[]): Promise<boolean> {
  const isSure = await confirm({
    title: t('deleteTitle', { count: ids.length }),
    text: `${namesOf(eventId, ids)} ${t('deleteText')}`,
    action: t('deleteAction', { count: ids.length }),
  })
  if (!isSure) return false
  const pieces = inPieces(ids, photosOfACall)
  let deleted = 0
  try {
    for (const [index, photoIds] of pieces.entries()) {
      const reply = await must(
        api.POST('/api/admin/photos/{event_id}/photos/bulk-delete', {
          params: { path: { event_id: eventId } },
          body: { photoIds },
        }),
      )
      deleted += reply.deleted
      if (pieces.length > 1) showRunning({ label: t('deleting'), done: index + 1, total: pieces.length })
    }
    showNotice(t('deletedNow', { count: deleted }))
  } catch (error) {
    showNotice(errorMessage(error), { isAlarm: true })
  } finally {
    showRunning(null)
    await askAgain(eventId)
  }
  return true
}

function namesOf(eventId: number, ids: readonly number[]): string {
  const known = knownPhotos(eventId, new Set(ids.slice(0, 50)))
  const names = ids.flatMap((id) => known.get(id)?.source_filename ?? []).slice(0, namesToSay)
  const more = ids.length - names.length
  if (names.length === 0) return ''
  const listed = more > 0 ? [...names, t('moreNames', { count: more })] : names
  return `${new Intl.ListFormat(language).format(listed)}.`
}
