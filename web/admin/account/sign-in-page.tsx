import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { meetAgain } from '../desk/me.ts'
import { Button } from '../parts/button.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { TextField } from '../parts/field.tsx'
import { pathBelowAdmin } from './address-below-desk.ts'
import { Alone } from './alone.tsx'
import { askRecaptcha } from './recaptcha.ts'

const t = translator('account')
const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { back } = route.useSearch()
  const router = useRouter()
  const [mfaToken, setMfaToken] = useState<string | null>(null)
  const finish = async () => {
    await meetAgain()
    router.history.push(pathBelowAdmin(back, location.origin))
  }
  return (
    <Alone title={t('signIn')}>
      {mfaToken === null ? (
        <PasswordForm onCode={setMfaToken} onSignedIn={finish} />
      ) : (
        <CodeForm mfaToken={mfaToken} onSignedIn={finish} onAgain={() => setMfaToken(null)} />
      )}
    </Alone>
  )
}

/** Sends a form, one request at a time. `errorText` is the message of the last error. */
function useSending(send: (form: FormData) => Promise<void>) {
  const [wrong, setWrong] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setWrong(null)
    send(new FormData(event.currentTarget))
      .catch((error) => setWrong(errorMessage(error)))
      .finally(() => setBusy(false))
  }
  return { wrong, isBusy, onSubmit }
}

type PasswordFormProps = { onCode: (mfaToken: string) => void; onSignedIn: () => Promise<void> }

function PasswordForm({ onCode, onSignedIn }: PasswordFormProps) {
  const { wrong, isBusy, onSubmit } = useSending(async (form) => {
    const body = {
      username: String(form.get('username')),
      password: String(form.get('password')),
      recaptchaToken: await askRecaptcha(),
    }
    const answer = await must(api.POST('/api/auth/admin/login', { body }))
    if ('mfaToken' in answer) onCode(answer.mfaToken)
    else await onSignedIn()
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
        wrong={wrong}
      />
      <Button type="submit" kind="primary" isBusy={isBusy}>
        {t('signIn')}
      </Button>
    </form>
  )
}

type CodeFormProps = { mfaToken: string; onSignedIn: () => Promise<void>; onAgain: () => void }

function CodeForm({ mfaToken, onSignedIn, onAgain }: CodeFormProps) {
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(true), [])
  const { wrong, isBusy, onSubmit } = useSending(async (form) => {
    await must(api.POST('/api/auth/admin/login/mfa', { body: { mfaToken, code: String(form.get('code')).trim() } }))
    await onSignedIn()
  })
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField
        key={String(shown)}
        label={t('code')}
        help={t('codeHelp')}
        name="code"
        autoComplete="one-time-code"
        required
        autoFocus
        wrong={wrong}
      />
      <Button type="submit" kind="primary" isBusy={isBusy}>
        {t('signIn')}
      </Button>
      <Button kind="quiet" onClick={onAgain}>
        {t('otherAccount')}
      </Button>
    </form>
  )
}
