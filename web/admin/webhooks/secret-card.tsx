import { useState } from 'react'
import { translator } from '../desk/language.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Card } from '../parts/page.tsx'
import { findSecret, forgetSecret } from './made-secret.ts'

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
