import './second-factor.css'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button, Buttons, SubmitButton } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { handleSubmit, TextField } from '../components/field.tsx'
import { formatDate } from '../components/format-time.ts'
import { showNotice } from '../components/notices.tsx'
import { Badge } from '../components/page.tsx'
import { QrCode } from '../components/qr-code.tsx'

const t = translator('account')

type Props = { factor: Schemas['GetSecondFactorReply']; onChange: () => void }
export function SecondFactor({ factor, onChange }: Props) {
  const [step, setStep] = useState<'set-up' | 'renew-codes' | 'switch-off' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const finish = (recoveryCodes: string[] | null) => {
    setStep(null)
    setCodes(recoveryCodes)
    onChange()
  }
  return (
    <>
      <p>
        <Badge tone={factor.enabled ? 'good' : 'warn'}>{t(factor.enabled ? 'factorOn' : 'factorOff')}</Badge>
      </p>
      <p className="quiet-text">
        {factor.enabled && factor.confirmedAt
          ? t('factorOnText', { date: formatDate(factor.confirmedAt), count: factor.recoveryCodesLeft })
          : t('factorOffText')}
      </p>
      <Buttons>
        {factor.enabled ? (
          <>
            <Button onClick={() => setStep('renew-codes')}>{t('renewCodes')}</Button>
            <Button kind="danger" onClick={() => setStep('switch-off')}>
              {t('switchOff')}
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={() => setStep('set-up')}>
            {t('setUp')}
          </Button>
        )}
      </Buttons>
      <Dialog title={t('setUp')} isOpen={step === 'set-up'} onClose={() => setStep(null)}>
        <SetUpForm onDone={finish} />
      </Dialog>
      <Dialog title={t('renewCodes')} isOpen={step === 'renew-codes'} onClose={() => setStep(null)}>
        <PasswordConfirmation
          action={t('renewCodes')}
          description={t('renewCodesText')}
          send={async (password) => {
            const body = { password }
            finish((await unwrap(api.POST('/api/admin/auth/mfa/recovery-codes', { body }))).recoveryCodes)
          }}
        />
      </Dialog>
      <Dialog title={t('switchOff')} isOpen={step === 'switch-off'} onClose={() => setStep(null)}>
        <PasswordConfirmation
          action={t('switchOff')}
          description={t('switchOffText')}
          isDangerous
          send={async (password) => {
            await unwrap(api.POST('/api/admin/auth/mfa/disable', { body: { password } }))
            showNotice(t('switchedOff'))
            finish(null)
          }}
        />
      </Dialog>
      <Dialog
        title={t('recoveryCodes')}
        description={t('recoveryCodesText')}
        isOpen={codes !== null}
        onClose={() => setCodes(null)}
      >
        <ul className="recovery-codes mono">
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Buttons isAtEnd>
          <CopyButton text={codes?.join('\n') ?? ''} />
          <Button kind="primary" onClick={() => setCodes(null)}>
            {t('kept')}
          </Button>
        </Buttons>
      </Dialog>
    </>
  )
}

function SetUpForm({ onDone }: { onDone: (recoveryCodes: string[]) => void }) {
  const [setUp, setSetUp] = useState<Schemas['SetUpSecondFactorReply'] | null>(null)
  const confirmCode = useMutation({
    mutationFn: (code: string) => unwrap(api.POST('/api/admin/auth/mfa/confirm', { body: { code } })),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  if (!setUp) {
    return (
      <PasswordConfirmation
        action={t('next')}
        description={t('setUpText')}
        send={async (password) => setSetUp(await unwrap(api.POST('/api/admin/auth/mfa/setup', { body: { password } })))}
      />
    )
  }
  return (
    <form className="stack" onSubmit={handleSubmit((form) => confirmCode.mutate(String(form.get('code')).trim()))}>
      <p>{t('scan')}</p>
      <QrCode text={setUp.otpauthUrl} label={t('scanLabel')} />
      <div className="second-factor-secret">
        <code>{setUp.secret}</code>
        <CopyButton text={setUp.secret} kind="quiet" />
      </div>
      <TextField
        label={t('code')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        minLength={6}
        required
        errorText={confirmCode.isError ? errorMessage(confirmCode.error) : null}
      />
      <Buttons isAtEnd>
        <SubmitButton isBusy={confirmCode.isPending}>{t('switchOn')}</SubmitButton>
      </Buttons>
    </form>
  )
}

type PasswordConfirmationProps = {
  action: string
  description: string
  isDangerous?: boolean
  send: (password: string) => Promise<void>
}

function PasswordConfirmation({ action, description, isDangerous = false, send }: PasswordConfirmationProps) {
  const submission = useMutation({ mutationFn: send })
  return (
    <form className="stack" onSubmit={handleSubmit((form) => submission.mutate(String(form.get('password'))))}>
      <p className="quiet-text">{description}</p>
      <TextField
        label={t('currentPassword')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        errorText={submission.isError ? errorMessage(submission.error) : null}
      />
      <Buttons isAtEnd>
        <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={submission.isPending}>
          {action}
        </Button>
      </Buttons>
    </form>
  )
}
