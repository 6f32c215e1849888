import { useState } from 'react'
import { translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Card } from '../components/page.tsx'

const t = translator('webhooks')

/** Secrets of webhooks created in this window. The server returns a secret only once. */
const secrets = new Map<number, string>()

export const rememberSecret = (webhookId: number, secret: string): void => void secrets.set(webhookId, secret)
const findSecret = (webhookId: number): string | null => secrets.get(webhookId) ?? null
export const forgetSecret = (webhookId: number): void => void secrets.delete(webhookId)

export function SecretCard({ webhookId }: { webhookId: number }) {
  const [secret, setSecret] = useState(() => findSecret(webhookId))
  if (secret === null) return null
  const forget = () => {
    forgetSecret(webhookId)
    setSecret(null)
    document.getElementById('main')?.focus()
  }
  return (
    <div className="webhooks-secret">
      <Card title={t('secret')}>
        <p>{t('secretText')}</p>
        <pre dir="ltr">{secret}</pre>
        <Buttons>
          <CopyButton text={secret} kind="primary" label={t('copySecret')} />
          <Button onClick={forget}>{t('secretKept')}</Button>
        </Buttons>
      </Card>
    </div>
  )
}
