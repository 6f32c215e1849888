import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { must } from '../../../../contract/must.ts'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { showNotice } from '../../components/notices.tsx'
import { useIsMailConfigured } from '../../health/health-query.ts'
import { findFieldError } from '../fields/field-errors.ts'
import { findKnownPassword } from '../known-passwords.ts'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

/** The server stores only the hash of the password, so the mail includes the password only if it is in the field. */
export function ResendDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const [password, setPassword] = useState(() => findKnownPassword(event.id) ?? '')
  const email = must(event.customer_email, 'the email address of the customer')
  const isMailSetUp = useIsMailConfigured()
  const resend = useMutation({
    mutationFn: () => {
      const params = { path: { event_id: event.id } }
      const body = event.require_password && password !== '' ? { password } : {}
      return unwrap(api.POST('/api/admin/events/{event_id}/resend-email', { params, body }))
    },
    onSuccess: () => {
      onClose()
      showNotice(t(isMailSetUp ? 'mailed' : 'mailKept', { email }))
    },
  })
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
          errorText={findFieldError(resend.error, 'password') && t('otherPassword')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
    </ActionDialog>
  )
}
