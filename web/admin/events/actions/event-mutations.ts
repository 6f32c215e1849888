import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { confirm } from '../../components/confirm.tsx'
import { copyText } from '../../components/copy-button.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import type { Event } from '../event-context.tsx'
import { type FoundEvent, invalidateEvents, updateCachedEvent } from '../event-queries.ts'
import { restoreTrashedEvent } from '../trash/restore-events.ts'

const t = translator('events')

export type EventSummary = Pick<Event, keyof Event & keyof FoundEvent>

const eventParams = ({ id }: EventSummary) => ({ params: { path: { event_id: id } } })

export async function copyLink({ share_url }: EventSummary): Promise<void> {
  const isCopied = await copyText(share_url)
  showNotice(isCopied ? t('linkCopied') : t('linkNotCopied', { link: share_url }), { isAlarm: !isCopied })
}

export async function archiveEvent(event: EventSummary): Promise<void> {
  const { event_name: name, customer_email: email } = event
  const isConfirmed = await confirm({
    title: t('archiveTitle', { name }),
    text: [
      t('archiveText'),
      event.require_password && t('archivePassword'),
      email && event.is_active && t('archiveMail', { email }),
    ]
      .filter(Boolean)
      .join(' '),
    action: t('archive'),
    isDangerous: false,
  })
  if (!isConfirmed) return
  await updateCachedEvent(await unwrap(api.POST('/api/admin/events/{event_id}/archive', eventParams(event))))
  showNotice(t('archived', { name }), { undo: () => void restoreEvent(event).catch(showError) })
}

export async function restoreEvent(event: EventSummary): Promise<void> {
  const restored = await unwrap(api.POST('/api/admin/events/{event_id}/restore', eventParams(event)))
  await updateCachedEvent(restored)
  const { event_name: name, is_draft, expires_at } = restored
  if (is_draft) return showNotice(t('restored', { name }))
  showNotice(expires_at ? t('restoredUntil', { name, time: formatTime(expires_at) }) : t('restoredOpen', { name }))
}

/** Moves the event to the trash and offers to undo this. Resolves to true. */
export async function trashEvent(event: EventSummary): Promise<true> {
  await unwrap(api.POST('/api/admin/events/{event_id}/trash', eventParams(event)))
  await invalidateEvents()
  const undo = () => void restoreTrashedEvent(event).catch(showError)
  showNotice(t('trashed', { name: event.event_name }), { undo })
  return true
}
