import { useNavigate } from '@tanstack/react-router'
import { translator } from '../desk/language.ts'
import { reloadMe } from '../desk/me.ts'
import { StandalonePage } from './alone.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'

const t = translator('account')

/** The log of the first start contains the initial password, so it must be changed before anything else. */
export function FirstPasswordPage() {
  const navigate = useNavigate()
  return (
    <StandalonePage title={t('firstPassword')}>
      <p className="quiet-text">{t('firstPasswordText')}</p>
      <ChangePasswordForm
        shouldFocus
        onChanged={async () => {
          await reloadMe()
          await navigate({ to: '/welcome' })
        }}
      />
    </StandalonePage>
  )
}
