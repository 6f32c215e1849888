import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { showNotice } from '../../components/notices.tsx'
import { updateCachedEvent } from '../event-queries.ts'
import { findFieldError } from '../fields/field-errors.ts'
import { rememberPassword } from '../known-passwords.ts'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

/** Creates a draft with the settings of the event. If the copy has a password, the share page opens and shows it. */
export function DuplicateDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const [name, setName] = useState(event.event_name)
  const [date, setDate] = useState(event.event_date ?? '')
  const navigate = useNavigate()
  const duplicate = useMutation({
    mutationFn: () => {
      const params = { path: { event_id: event.id } }
      const body = { event_name: name, event_date: date || null }
      return unwrap(api.POST('/api/admin/events/{event_id}/duplicate', { params, body }))
    },
    onSuccess: async ({ password, ...copy }) => {
      if (password !== null) rememberPassword(copy.id, password)
      onClose()
      await updateCachedEvent(copy)
      await navigate({
        to: password === null ? '/events/$eventId/edit' : '/events/$eventId/share',
        params: { eventId: String(copy.id) },
      })
      showNotice(password === null ? t('duplicated') : t('duplicatedWithPassword'))
    },
  })
  return (
    <ActionDialog
      title={t('duplicateTitle', { name: event.event_name })}
      description={t('duplicateText')}
      action={t('duplicate')}
      mutation={duplicate}
      onAction={() => duplicate.mutate()}
      fields={['event_name', 'event_date']}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        value={name}
        errorText={findFieldError(duplicate.error, 'event_name')}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t('date')}
        type="date"
        value={date}
        errorText={findFieldError(duplicate.error, 'event_date')}
        onChange={({ target }) => setDate(target.value)}
      />
    </ActionDialog>
  )
}
