import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showNotice } from '../../components/notices.tsx'
import { changeEvent, updateCachedEvent } from '../event-queries.ts'
import { findFieldError } from '../fields/field-errors.ts'
import { ExpiryField } from '../fields/time-fields.tsx'
import { endOfDayAfter, formatLocalDateTime, parseLocalDateTime } from '../local-time.ts'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

export function ExpiryDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const isExpired = Date.parse(event.expires_at) <= Date.now()
  const [until, setUntil] = useState(() => (isExpired ? endOfDayAfter(30) : formatLocalDateTime(event.expires_at)))
  const change = useMutation({
    mutationFn: () => changeEvent(event.id, { expires_at: parseLocalDateTime(until) }),
    onSuccess: async (event) => {
      onClose()
      await updateCachedEvent(event)
      showNotice(t('openUntilNow', { time: formatTime(event.expires_at) }))
    },
  })
  return (
    <ActionDialog
      title={t('moreTimeTitle', { name: event.event_name })}
      description={isExpired ? t('moreTimeOver', { time: formatTime(event.expires_at) }) : undefined}
      action={t('save')}
      mutation={change}
      onAction={() => change.mutate()}
      fields={['expires_at']}
      onClose={onClose}
    >
      <ExpiryField value={until} onChange={setUntil} errorText={findFieldError(change.error, 'expires_at')} />
    </ActionDialog>
  )
}
