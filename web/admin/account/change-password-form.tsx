import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { SubmitButton } from '../components/button.tsx'
import { errorMessage, findFieldMessage } from '../components/error-messages.ts'
import { CheckField, handleSubmit, TextField } from '../components/field.tsx'

const t = translator('account')

type Props = { onChanged: () => Promise<void>; knownPassword?: string | null }

/** With `knownPassword`, the form does not ask for the current password. */
export function ChangePasswordForm({ onChanged, knownPassword = null }: Props) {
  const [isSame, setSame] = useState(false)
  const [isShown, setShown] = useState(false)
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      unwrap(api.POST('/api/admin/auth/change-password', { body })),
    onSuccess: onChanged,
  })
  const onSubmit = handleSubmit((form) => {
    const currentPassword = knownPassword ?? String(form.get('currentPassword'))
    const newPassword = String(form.get('newPassword'))
    setSame(newPassword === currentPassword)
    if (newPassword !== currentPassword) change.mutate({ currentPassword, newPassword })
  })
  const newPasswordError = findFieldMessage(change.error, 'newPassword')
  const otherError = change.isError && !isSame && newPasswordError === null ? errorMessage(change.error) : null
  return (
    <form className="stack" onSubmit={onSubmit}>
      {knownPassword === null && (
        <TextField
          label={t('currentPassword')}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
          errorText={otherError}
        />
      )}
      <TextField
        label={t('newPassword')}
        help={t('passwordRule')}
        name="newPassword"
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoFocus={knownPassword !== null}
        minLength={12}
        maxLength={128}
        required
        errorText={isSame ? t('samePassword') : newPasswordError}
      />
      <CheckField label={t('showPassword')} checked={isShown} onChange={({ target }) => setShown(target.checked)} />
      {knownPassword !== null && otherError && (
        <p className="wrong" role="alert">
          {otherError}
        </p>
      )}
      <SubmitButton isBusy={change.isPending}>{t('changePassword')}</SubmitButton>
    </form>
  )
}
