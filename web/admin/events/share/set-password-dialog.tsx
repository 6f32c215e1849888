import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { suggestPassword } from '../../../../contract/suggest-password.ts'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import type { Event } from '../event-context.tsx'
import { updateCachedEvent } from '../event-queries.ts'
import { findFieldError } from '../fields/field-errors.ts'
import { PasswordField } from '../fields/password-field.tsx'
import { rememberPassword } from '../known-passwords.ts'

const t = translator('events')

export function SetPasswordDialog({ event, onClose, onSet }: { event: Event; onClose: () => void; onSet: () => void }) {
  const [password, setPassword] = useState(suggestPassword)
  const set = useMutation({
    mutationFn: () => {
      const params = { path: { event_id: event.id } }
      return unwrap(api.POST('/api/admin/events/{event_id}/reset-password', { params, body: { password } }))
    },
    onSuccess: async ({ password: _, ...changed }) => {
      rememberPassword(event.id, password)
      await updateCachedEvent(changed)
      onSet()
    },
  })
  return (
    <ActionDialog
      title={event.require_password ? t('otherPasswordAction') : t('setPassword')}
      description={t('setPasswordText')}
      action={t('setPasswordAction')}
      mutation={set}
      onAction={() => set.mutate()}
      fields={['password']}
      onClose={onClose}
    >
      <PasswordField
        label={t('password')}
        help={t('passwordHelp')}
        value={password}
        onChange={(next) => {
          setPassword(next)
          set.reset()
        }}
        errorText={findFieldError(set.error, 'password')}
      />
    </ActionDialog>
  )
}
