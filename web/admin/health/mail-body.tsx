import { useState } from 'react'
import { sayIn } from '../desk/language.ts'
import { Chip } from '../parts/chip.tsx'
import type { Mail } from './mail-query.ts'

const say = sayIn('health')

export function MailBody({ mail: { id, text } }: { mail: Mail }) {
  const [isPicture, setPicture] = useState(false)
  return (
    <>
      <fieldset className="mail-states">
        <legend className="heard">{say('mailShown')}</legend>
        <Chip isOn={!isPicture} onClick={() => setPicture(false)}>
          {say('asText')}
        </Chip>
        <Chip isOn={isPicture} onClick={() => setPicture(true)}>
          {say('asSeen')}
        </Chip>
      </fieldset>
      {isPicture ? (
        <iframe
          className="mail-picture"
          title={say('asSeen')}
          src={`/api/admin/mail/outbox/${id}/html`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      ) : (
        <section className="mail-text" aria-label={say('mailText')} dir="auto">
          {text}
        </section>
      )}
    </>
  )
}
