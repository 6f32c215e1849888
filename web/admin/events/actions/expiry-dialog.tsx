import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showNotice } from '../../components/notices.tsx'
import type { Event } from '../event-context.tsx'
import { changeEvent, closeEvent, updateCachedEvent } from '../event-queries.ts'
import { parseExpiryText, toExpiryText } from '../fields/event-draft.ts'
import { findFieldError } from '../fields/field-errors.ts'
import { ExpiryField } from '../fields/time-fields.tsx'
import { endOfDayAfter } from '../local-time.ts'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

export function ExpiryDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const { expires_at } = event
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const [until, setUntil] = useState(() => (isExpired ? endOfDayAfter(30) : toExpiryText(expires_at)))
  const change = useMutation({
    mutationFn: (change: 'extend' | 'close') =>
      change === 'close' ? closeEvent(event.id) : changeEvent(event.id, { expires_at: parseExpiryText(until) }),
    onSuccess: async (event, change) => {
      onClose()
      await updateCachedEvent(event)
      showNotice(change === 'close' ? t('closedNow') : describeExpiry(event))
    },
  })
  const confirmClose = async () => {
    const question = { title: t('closeTitle', { name: event.event_name }), text: t('closeText'), action: t('closeNow') }
    if (await confirm(question)) change.mutate('close')
  }
  return (
    <ActionDialog
      title={t('moreTimeTitle', { name: event.event_name })}
      description={isExpired ? t('moreTimeOver', { time: formatTime(expires_at) }) : undefined}
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

const describeExpiry = ({ expires_at }: Pick<Event, 'expires_at'>): string =>
  expires_at === null ? t('neverExpiresNow') : t('openUntilNow', { time: formatTime(expires_at) })
