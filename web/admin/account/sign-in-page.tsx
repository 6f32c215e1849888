import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { reloadMe } from '../app/me.ts'
import { Button, SubmitButton } from '../components/button.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { handleSubmit, TextField } from '../components/field.tsx'
import { pathBelowAdmin } from './path-below-admin.ts'
import { getRecaptchaToken } from './recaptcha.ts'
import { StandalonePage } from './standalone-page.tsx'
import { rememberTypedPassword } from './typed-password.ts'

const t = translator('account')
const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { back } = route.useSearch()
  const router = useRouter()
  const [mfaToken, setMfaToken] = useState<string | null>(null)
  const finish = async () => {
    await reloadMe()
    router.history.push(pathBelowAdmin(back, location.origin))
  }
  return (
    <StandalonePage title={t('signIn')}>
      {mfaToken === null ? (
        <PasswordForm onCodeRequired={setMfaToken} onSignedIn={finish} />
      ) : (
        <CodeForm mfaToken={mfaToken} onSignedIn={finish} onRestart={() => setMfaToken(null)} />
      )}
    </StandalonePage>
  )
}

/** Sends a form, one request at a time. `errorText` is the message of the last error. */
function useSubmit(send: (form: FormData) => Promise<void>) {
  const [errorText, setErrorText] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const onSubmit = handleSubmit((form) => {
    if (isBusy) return
    setBusy(true)
    setErrorText(null)
    send(form)
      .catch((error) => setErrorText(errorMessage(error)))
      .finally(() => setBusy(false))
  })
  return { errorText, isBusy, onSubmit }
}

type PasswordFormProps = { onCodeRequired: (mfaToken: string) => void; onSignedIn: () => Promise<void> }

function PasswordForm({ onCodeRequired, onSignedIn }: PasswordFormProps) {
  const { errorText, isBusy, onSubmit } = useSubmit(async (form) => {
    const body = {
      username: String(form.get('username')),
      password: String(form.get('password')),
      recaptchaToken: await getRecaptchaToken(),
    }
    const response = await unwrap(api.POST('/api/auth/admin/login', { body }))
    if ('mfaToken' in response) return onCodeRequired(response.mfaToken)
    if (response.user.mustChangePassword) rememberTypedPassword(body.password)
    await onSignedIn()
  })
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField label={t('username')} name="username" autoComplete="username" required autoFocus maxLength={254} />
      <TextField
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        errorText={errorText}
      />
      <SubmitButton isBusy={isBusy}>{t('signIn')}</SubmitButton>
    </form>
  )
}

type CodeFormProps = { mfaToken: string; onSignedIn: () => Promise<void>; onRestart: () => void }

function CodeForm({ mfaToken, onSignedIn, onRestart }: CodeFormProps) {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  const { errorText, isBusy, onSubmit } = useSubmit(async (form) => {
    await unwrap(api.POST('/api/auth/admin/login/mfa', { body: { mfaToken, code: String(form.get('code')).trim() } }))
    await onSignedIn()
  })
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField
        key={String(isMounted)}
        label={t('code')}
        help={t('codeHelp')}
        name="code"
        autoComplete="one-time-code"
        required
        autoFocus
        errorText={errorText}
      />
      <SubmitButton isBusy={isBusy}>{t('signIn')}</SubmitButton>
      <Button kind="quiet" onClick={onRestart}>
        {t('otherAccount')}
      </Button>
    </form>
  )
}
