import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showNotice } from '../../components/notices.tsx'
import { changeEvent, closeEvent, updateCachedEvent } from '../event-queries.ts'
import { findFieldError } from '../fields/field-errors.ts'
import { ExpiryField } from '../fields/time-fields.tsx'
import { endOfDayAfter, formatLocalDateTime, parseLocalDateTime } from '../local-time.ts'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

export function ExpiryDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const isExpired = Date.parse(event.expires_at) <= Date.now()
  const [until, setUntil] = useState(() => (isExpired ? endOfDayAfter(30) : formatLocalDateTime(event.expires_at)))
  const change = useMutation({
    mutationFn: (change: 'extend' | 'close') =>
      change === 'close' ? closeEvent(event.id) : changeEvent(event.id, { expires_at: parseLocalDateTime(until) }),
    onSuccess: async (event, change) => {
      onClose()
      await updateCachedEvent(event)
      showNotice(change === 'close' ? t('closedNow') : t('openUntilNow', { time: formatTime(event.expires_at) }))
    },
  })
  const confirmClose = async () => {
    const question = { title: t('closeTitle', { name: event.event_name }), text: t('closeText'), action: t('closeNow') }
    if (await confirm(question)) change.mutate('close')
  }
  return (
    <ActionDialog
      title={t('moreTimeTitle', { name: event.event_name })}
      description={isExpired ? t('moreTimeOver', { time: formatTime(event.expires_at) }) : undefined}
      action={t('save')}
      mutation={change}
      onAction={() => change.mutate('extend')}
      fields={['expires_at']}
      onClose={onClose}
    >
      <ExpiryField value={until} onChange={setUntil} errorText={findFieldError(change.error, 'expires_at')} />
      {!isExpired && !event.is_draft && (
        <div>
          <Button icon="clock" isBusy={change.isPending} onClick={() => void confirmClose()}>
            {t('closeNow')}
          </Button>
        </div>
      )}
    </ActionDialog>
  )
}
