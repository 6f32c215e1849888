import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { confirm } from '../../components/confirm.tsx'
import { showNotice } from '../../components/notices.tsx'
import { invalidateEvents, updateCachedEvent } from '../event-queries.ts'

const t = translator('trash')

type Named = { id: number; event_name: string }

/** Of notices about the state of an event, only the latest is shown. */
export const noticeTopic = ({ id }: { id: number }): string => `event ${id}`

/** Rejects with the error of the request. */
export async function restoreTrashedEvent(event: Named): Promise<void> {
  const params = { path: { event_id: event.id } }
  await updateCachedEvent(await unwrap(api.POST('/api/admin/trashed-events/{event_id}/restore', { params })))
  showNotice(t('eventRestored', { name: event.event_name }), { about: noticeTopic(event) })
}

/** Asks first. Rejects with the error of the request. */
export async function deleteTrashedEvent(event: Named): Promise<void> {
  const { id, event_name: name } = event
  if (!(await askBeforeDelete(t('deleteEventTitle', { name })))) return
  await unwrap(api.DELETE('/api/admin/trashed-events/{event_id}', { params: { path: { event_id: id } } }))
  await invalidateEvents()
  showNotice(t('eventDeleted', { name }), { about: noticeTopic(event) })
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
