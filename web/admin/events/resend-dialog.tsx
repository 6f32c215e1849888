import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { useIsMailConfigured } from '../health/use-mail-set-up.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { showNotice } from '../parts/notices.tsx'
import type { EventSummary } from './event-mutations.ts'
import { findKnownPassword } from './known-passwords.ts'
import { findFieldError } from './wrong-words.ts'

const t = translator('events')

/** The mail includes the password only if the operator enters it, because the server stores only its hash. */
export function ResendDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const [password, setPassword] = useState(() => findKnownPassword(event.id) ?? '')
  const email = event.customer_email ?? ''
  const isMailSetUp = useIsMailConfigured()
  const resend = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/admin/events/{event_id}/resend-email', {
          params: { path: { event_id: event.id } },
          body: event.require_password && password !== '' ? { password } : {},
        }),
      ),
    onSuccess: () => {
      onClose()
      showNotice(t(isMailSetUp ? 'mailed' : 'mailKept', { email }))
    },
  })
  const errorText = findFieldError(resend.error, 'password') && t('otherPassword')
  return (
    <ActionDialog
      title={t('resendTitle', { email })}
      description={t('resendText')}
      action={t('resend')}
      mutation={resend}
      onAction={() => resend.mutate()}
      fields={['password']}
      onClose={onClose}
    >
      {event.require_password && (
        <TextField
          label={t('passwordInMail')}
          help={t('passwordInMailHelp')}
          value={password}
          errorText={errorText}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
    </ActionDialog>
  )
}
