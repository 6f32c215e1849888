import { useNavigate } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { reloadMe } from '../app/me.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { StandalonePage } from './standalone-page.tsx'
import { forgetTypedPassword, getTypedPassword } from './typed-password.ts'

const t = translator('account')

/** A password that the service generated (at the first start or by a reset) must be changed before anything else. */
export function FirstPasswordPage() {
  const navigate = useNavigate()
  return (
    <StandalonePage title={t('firstPassword')}>
      <p className="quiet-text">{t('firstPasswordText')}</p>
      <ChangePasswordForm
        knownPassword={getTypedPassword()}
        onChanged={async () => {
          forgetTypedPassword()
          await reloadMe()
          await navigate({ to: '/welcome' })
        }}
      />
    </StandalonePage>
  )
}
