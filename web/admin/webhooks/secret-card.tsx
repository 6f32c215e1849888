import { useState } from 'react'
import { sayIn } from '../desk/language.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Card } from '../parts/page.tsx'
import { findSecret, forgetSecret } from './made-secret.ts'

const say = sayIn('webhooks')

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
      <Card title={say('secret')}>
        <p>{say('secretText')}</p>
        <pre dir="ltr">{secret}</pre>
        <Buttons>
          <CopyButton text={secret} kind="primary" label={say('copySecret')} />
          <Button onClick={forget}>{say('secretKept')}</Button>
        </Buttons>
      </Card>
    </div>
  )
}
