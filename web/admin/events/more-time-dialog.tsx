import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { showNotice } from '../parts/notices.tsx'
import { formatTime } from '../parts/time-words.ts'
import type { EventSummary } from './event-mutations.ts'
import { eventChanged } from './event-query.ts'
import { ExpiryField } from './expiry-field.tsx'
import { inDays, localTime, momentOf } from './local-time.ts'
import { wrongField } from './wrong-words.ts'

const t = translator('events')

export function MoreTimeDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const isOver = Date.parse(event.expires_at) <= Date.now()
  const [until, setUntil] = useState(() => (isOver ? inDays(30) : localTime(event.expires_at)))
  const change = useMutation({
    mutationFn: () =>
      must(
        api.PATCH('/api/admin/events/{event_id}', {
          params: { path: { event_id: event.id } },
          body: { expires_at: momentOf(until) },
        }),
      ),
    onSuccess: async (event) => {
      onClose()
      await eventChanged(event)
      showNotice(t('openUntilNow', { time: formatTime(event.expires_at) }))
    },
  })
  const wrong = wrongField(change.error, 'expires_at')
  return (
    <ActionDialog
      title={t('moreTimeTitle', { name: event.event_name })}
      about={isOver ? t('moreTimeOver', { time: formatTime(event.expires_at) }) : undefined}
      action={t('save')}
      mutation={change}
      onAction={() => change.mutate()}
      fields={['expires_at']}
      onClose={onClose}
    >
      <ExpiryField value={until} onChange={setUntil} wrong={wrong} />
    </ActionDialog>
  )
}
