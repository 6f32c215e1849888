import { useState } from 'react'
import { translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Card } from '../components/page.tsx'
import { findSecret, forgetSecret } from './new-secrets.ts'

const t = translator('webhooks')

/** Shows the secret of a new webhook until the user confirms that it is stored. */
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
