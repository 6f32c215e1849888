import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { SubmitButton } from '../components/button.tsx'
import { errorMessage, findFieldMessage } from '../components/error-messages.ts'
import { handleSubmit, TextField } from '../components/field.tsx'

const t = translator('account')

type Props = { onChanged: () => Promise<void>; shouldFocus?: boolean }

export function ChangePasswordForm({ onChanged, shouldFocus = false }: Props) {
  const [errorText, setErrorText] = useState<'differ' | 'samePassword' | null>(null)
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      unwrap(api.POST('/api/admin/auth/change-password', { body })),
    onSuccess: onChanged,
  })
  const onSubmit = handleSubmit((form) => {
    const currentPassword = String(form.get('currentPassword'))
    const newPassword = String(form.get('newPassword'))
    const issue = newPassword === currentPassword ? 'samePassword' : newPassword === form.get('again') ? null : 'differ'
    setErrorText(issue)
    if (issue === null) change.mutate({ currentPassword, newPassword })
  })
  const isCurrentPasswordError = change.isError && findFieldMessage(change.error, 'newPassword') === null
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField
        label={t('currentPassword')}
        name="currentPassword"
        autoFocus={shouldFocus}
        type="password"
        autoComplete="current-password"
        required
        errorText={errorText === null && isCurrentPasswordError ? errorMessage(change.error) : null}
      />
      <TextField
        label={t('newPassword')}
        help={t('passwordRule')}
        name="newPassword"
        type="password"
        autoComplete="new-password"
        minLength={12}
        maxLength={128}
        required
        errorText={
          errorText === 'samePassword'
            ? t(errorText)
            : errorText === null
              ? findFieldMessage(change.error, 'newPassword')
              : null
        }
      />
      <TextField
        label={t('again')}
        name="again"
        type="password"
        autoComplete="new-password"
        required
        errorText={errorText === 'differ' ? t(errorText) : null}
      />
      <SubmitButton isBusy={change.isPending}>{t('changePassword')}</SubmitButton>
    </form>
  )
}
