import { sayIn } from '../desk/language.ts'
import { TextField } from '../parts/field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import type { EventForm } from './use-event-form.ts'

const say = sayIn('events')

type Props = { form: EventForm }

export const ExpiryOf = ({ form }: Props) => (
  <ExpiryField
    value={form.draft.expires_at}
    onChange={(value) => form.set('expires_at', value)}
    wrong={form.wrong('expires_at') ?? form.wrong('expiration_days')}
    help={say('expiresAtHelp')}
  />
)

export const RevealField = ({ form }: Props) => (
  <TextField label={say('revealAt')} help={say('revealAtHelp')} type="datetime-local" {...form.text('reveal_at')} />
)
