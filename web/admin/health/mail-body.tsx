import { useState } from 'react'
import { translator } from '../desk/language.ts'
import { Chip } from '../parts/chip.tsx'
import type { Mail } from './mail-query.ts'

const t = translator('health')

export function MailBody({ mail: { id, text } }: { mail: Mail }) {
  const [isPicture, setPicture] = useState(false)
  return (
    <>
      <fieldset className="mail-states">
        <legend className="heard">{t('mailShown')}</legend>
        <Chip isOn={!isPicture} onClick={() => setPicture(false)}>
          {t('asText')}
        </Chip>
        <Chip isOn={isPicture} onClick={() => setPicture(true)}>
          {t('asSeen')}
        </Chip>
      </fieldset>
      {isPicture ? (
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
