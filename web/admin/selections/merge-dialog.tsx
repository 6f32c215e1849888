import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { SelectField } from '../components/field.tsx'
import { showNotice } from '../components/notices.tsx'
import { useEvent } from '../events/event-context.tsx'
import type { GuestNames } from '../feedback/guest-names.ts'
import { invalidateFeedback, type PickingGuest } from '../feedback/picks-query.ts'

const t = translator('feedback')

type Props = { from: PickingGuest; guests: readonly PickingGuest[]; names: GuestNames; onClose: () => void }

/** Merges a guest into another one, for a person who used several devices. */
export function MergeDialog({ from, guests, names, onClose }: Props) {
  const { id: eventId } = useEvent()
  const [into, setInto] = useState('')
  const others = guests.filter(({ id }) => id !== from.id)
  const merge = useMutation({
    mutationFn: () => {
      const params = { path: { event_id: eventId } }
      return unwrap(api.POST('/api/admin/events/{event_id}/guests/merge', { params, body: { from: from.id, into } }))
    },
    onSuccess: async () => {
      await invalidateFeedback(eventId)
      showNotice(t('merged', { from: names.of(from.id), into: names.of(into) }))
      onClose()
    },
  })
  return (
    <ActionDialog
      title={t('mergeTitle', { guest: names.of(from.id) })}
      description={t('mergeText')}
      action={t('mergeAction')}
      kind="danger"
      mutation={merge}
      isReady={into !== ''}
      onAction={() => merge.mutate()}
      onClose={onClose}
    >
      <SelectField label={t('mergeInto')} value={into} required onChange={(change) => setInto(change.target.value)}>
        <option value="">{t('choose')}</option>
        {others.map(({ id, email, pick_count }) => (
          <option key={id} value={id}>
            {t('mergeOption', { guest: [names.of(id), email].filter(Boolean).join(' · '), count: pick_count })}
          </option>
        ))}
      </SelectField>
    </ActionDialog>
  )
}
