import { useState } from 'react'
import { translator } from '../app/language.ts'
import { Chip } from '../components/chip.tsx'
import type { Mail } from './mail-query.ts'

const t = translator('health')

export function MailBody({ mail: { id, text } }: { mail: Mail }) {
  const [isHtml, setHtml] = useState(false)
  return (
    <>
      <fieldset className="mail-states">
        <legend className="heard">{t('mailShown')}</legend>
        <Chip isOn={!isHtml} onClick={() => setHtml(false)}>
          {t('asText')}
        </Chip>
        <Chip isOn={isHtml} onClick={() => setHtml(true)}>
          {t('asSeen')}
        </Chip>
      </fieldset>
      {isHtml ? (
        <iframe
          className="mail-picture"
          title={t('asSeen')}
          src={`/api/admin/mail/outbox/${id}/html`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      ) : (
        <section className="mail-text" aria-label={t('mailText')} dir="auto">
          {text}
        </section>
      )}
    </>
  )
}
