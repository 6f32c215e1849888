import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { confirm } from '../parts/confirm.tsx'
import { showNotice } from '../parts/notices.tsx'
import type { Event } from './event-here.tsx'
import { eventChanged, eventsChanged } from './event-query.ts'

const t = translator('events')

/** The properties that both the event and the entries of event lists have. */
export type EventSummary = Pick<
  Event,
  | 'id'
  | 'event_name'
  | 'event_date'
  | 'expires_at'
  | 'share_url'
  | 'is_draft'
  | 'is_archived'
  | 'is_active'
  | 'customer_email'
  | 'require_password'
  | 'photo_count'
>

const at = ({ id }: EventSummary) => ({ params: { path: { event_id: id } } })

export async function archive(event: EventSummary): Promise<void> {
  const { event_name: name } = event
  const isMeant = await confirm({
    title: t('archiveTitle', { name }),
    text: t('archiveText'),
    action: t('archive'),
    isDangerous: false,
  })
  if (!isMeant) return
  await eventChanged(await must(api.POST('/api/admin/events/{event_id}/archive', at(event))))
  showNotice(t('archived', { name }), { undo: () => void restore(event) })
}

export async function restore(event: EventSummary): Promise<void> {
  await eventChanged(await must(api.POST('/api/admin/events/{event_id}/restore', at(event))))
  showNotice(t('restored', { name: event.event_name }))
}

/** Resolves to false if the user cancels. */
export async function deleteForGood(event: EventSummary): Promise<boolean> {
  const { event_name: name, photo_count: count } = event
  const isMeant = await confirm({
    title: t('deleteTitle', { name }),
    text: count > 0 ? t('deleteText', { count }) : t('deleteEmptyText'),
    action: t('deleteForGood'),
  })
  if (!isMeant) return false
  await must(api.DELETE('/api/admin/events/{event_id}', at(event)))
  await eventsChanged()
  showNotice(t('deleted', { name }))
  return true
}
