import { useState } from 'react'
import { translator } from '../app/language.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { Card } from '../components/page.tsx'
import { CodeText } from './code-text.tsx'
import { createSnippets } from './snippets.ts'
import type { Webhook } from './webhooks-query.ts'

const t = translator('webhooks')

export function Verify({ webhook: { secret_preview } }: { webhook: Webhook }) {
  const snippets = createSnippets(`${secret_preview}…`)
  const [language, setLanguage] = useState('Node')
  const snippet = snippets.find((one) => one.language === language)
  return (
    <div className="webhooks-narrow stack">
      <p className="quiet-text">{t('verifyText')}</p>
      <fieldset className="webhooks-languages">
        <legend className="heard">{t('language')}</legend>
        {snippets.map((one) => (
          <label key={one.language}>
            <input
              type="radio"
              name="language"
              checked={one.language === language}
              onChange={() => setLanguage(one.language)}
            />
            {one.language}
          </label>
        ))}
      </fieldset>
      {snippet && (
        <>
          <Card
            title={t(language === 'Shell' ? 'verifyShell' : 'verifyWhole')}
            actions={<CopyButton text={snippet.receiver} label={t('copySnippet')} />}
          >
            <CodeText isCode label={t('verifyWhole')} text={snippet.receiver} />
          </Card>
          <Card title={t('verifyLine')} actions={<CopyButton text={snippet.line} label={t('copyLine')} />}>
            <p className="quiet-text">{t('verifyLineText')}</p>
            <CodeText isCode label={t('verifyLine')} text={snippet.line} />
          </Card>
        </>
      )}
      <p className="quiet-text">{t('secretBegins', { preview: secret_preview })}</p>
    </div>
  )
}
