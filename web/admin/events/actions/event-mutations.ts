import { copyText } from '../../../shared/copy-text.ts'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { confirm } from '../../components/confirm.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import type { Event } from '../event-context.tsx'
import { eventDefaultsQuery, type FoundEvent, invalidateEvents, updateCachedEvent } from '../event-queries.ts'
import { noticeTopic, restoreTrashedEvent } from '../trash/restore-events.ts'

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
  // Restoring an expired event would open it to guests, so this asks.
  const restore = event.is_active ? restoreEvent : confirmRestore
  const undo = () => void restore(event).catch(showError)
  showNotice(t('archived', { name }), { undo, about: noticeTopic(event) })
}

/** Asks first, except for a draft, which stays closed. */
export async function confirmRestore(event: EventSummary): Promise<void> {
  const { event_name: name, is_draft, expires_at } = event
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const text = isExpired
    ? t('restoreExpired', { closed: formatTime(expires_at), time: formatTime(await loadNewExpiry()) })
    : expires_at
      ? t('restoreUntil', { time: formatTime(expires_at) })
      : t('restoreOpen')
  const question = { title: t('restoreTitle', { name }), text, action: t('restore'), isDangerous: false }
  if (is_draft || (await confirm(question))) await restoreEvent(event)
}

/** Returns when the gallery of an expired event closes that is restored now. */
async function loadNewExpiry(): Promise<string> {
  const { expiration_days: days } = await queries.fetchQuery(eventDefaultsQuery)
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

async function restoreEvent(event: EventSummary): Promise<void> {
  const restored = await unwrap(api.POST('/api/admin/events/{event_id}/restore', eventParams(event)))
  await updateCachedEvent(restored)
  const { event_name: name, is_draft, expires_at } = restored
  const text = is_draft
    ? t('restored', { name })
    : expires_at
      ? t('restoredUntil', { name, time: formatTime(expires_at) })
      : t('restoredOpen', { name })
  showNotice(text, { about: noticeTopic(event) })
}

/** Moves the event to the trash and offers to undo this. Resolves to true. */
export async function trashEvent(event: EventSummary): Promise<true> {
  await unwrap(api.POST('/api/admin/events/{event_id}/trash', eventParams(event)))
  await invalidateEvents()
  const undo = () => void restoreTrashedEvent(event).catch(showError)
  showNotice(t('trashed', { name: event.event_name }), { undo, about: noticeTopic(event) })
  return true
}
