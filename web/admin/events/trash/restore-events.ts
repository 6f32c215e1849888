import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { confirm } from '../../components/confirm.tsx'
import { showNotice } from '../../components/notices.tsx'
import { invalidateEvents, updateCachedEvent } from '../event-queries.ts'

const t = translator('trash')

type Named = { id: number; event_name: string }

/** Rejects with the error of the request. */
export async function restoreTrashedEvent({ id, event_name: name }: Named): Promise<void> {
  const params = { path: { event_id: id } }
  await updateCachedEvent(await unwrap(api.POST('/api/admin/trashed-events/{event_id}/restore', { params })))
  showNotice(t('eventRestored', { name }))
}

/** Asks first. Rejects with the error of the request. */
export async function deleteTrashedEvent({ id, event_name: name }: Named): Promise<void> {
  if (!(await askBeforeDelete(t('deleteEventTitle', { name })))) return
  await unwrap(api.DELETE('/api/admin/trashed-events/{event_id}', { params: { path: { event_id: id } } }))
  await invalidateEvents()
  showNotice(t('eventDeleted', { name }))
}

/** Asks first. Rejects with the error of the request. */
export async function emptyEventTrash(): Promise<void> {
  if (!(await askBeforeDelete(t('emptyTitle')))) return
  const { deleted: count } = await unwrap(api.DELETE('/api/admin/trashed-events'))
  await invalidateEvents()
  showNotice(t('eventsDeleted', { count }))
}

const askBeforeDelete = (title: string): Promise<boolean> =>
  confirm({ title, text: t('deleteEventText'), action: t('deleteForGood') })
