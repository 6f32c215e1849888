import { translator } from '../../app/language.ts'
import { TextField } from '../../components/field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import type { EventForm } from './use-event-form.ts'

const t = translator('events')

type Props = { form: EventForm }

export const EventExpiryField = ({ form }: Props) => (
  <ExpiryField
    value={form.draft.expires_at}
    onChange={(value) => form.set('expires_at', value)}
    errorText={form.errorText('expires_at') ?? form.errorText('expiration_days')}
    help={t('expiresAtHelp')}
  />
)

export const RevealField = ({ form }: Props) => (
  <TextField label={t('revealAt')} help={t('revealAtHelp')} type="datetime-local" {...form.text('reveal_at')} />
)
