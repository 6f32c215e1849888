import { useNavigate } from '@tanstack/react-router'
import { translator } from '../desk/language.ts'
import { meetAgain } from '../desk/me.ts'
import { Alone } from './alone.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'

const t = translator('account')

/** The log of the first start contains the initial password, so it must be changed before anything else. */
export function FirstPasswordPage() {
  const navigate = useNavigate()
  return (
    <Alone title={t('firstPassword')}>
      <p className="quiet-text">{t('firstPasswordText')}</p>
      <ChangePasswordForm
        isAlone
        onChanged={async () => {
          await meetAgain()
          await navigate({ to: '/welcome' })
        }}
      />
    </Alone>
  )
}
