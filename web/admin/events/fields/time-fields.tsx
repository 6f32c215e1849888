import './time-fields.css'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { CheckField, SelectField, TextField } from '../../components/field.tsx'
import { endOfDayAfter } from '../local-time.ts'
import { neverExpires } from './event-draft.ts'
import type { EventForm } from './use-event-form.ts'

const t = translator('events')

const commonPeriodsDays = [30, 90, 365]

type Props = { value: string; onChange: (value: string) => void; errorText: string | null; help?: string }

const ExpiryDateField = ({ value, onChange, errorText, help }: Props) => (
  <div className="event-expiry">
    <TextField
      label={t('expiresAt')}
      type="datetime-local"
      value={value}
      errorText={errorText}
      help={help}
      onChange={({ target }) => onChange(target.value)}
    />
    <div className="buttons">
      {commonPeriodsDays.map((days) => (
        <Button key={days} kind="quiet" onClick={() => onChange(endOfDayAfter(days))}>
          {t('inDays', { count: days })}
        </Button>
      ))}
    </div>
  </div>
)

export const ExpiryField = (props: Props) => (
  <div className="event-expiry">
    {props.value !== neverExpires && <ExpiryDateField {...props} />}
    <CheckField
      label={t('neverExpires')}
      checked={props.value === neverExpires}
      onChange={({ target }) => props.onChange(target.checked ? neverExpires : endOfDayAfter(30))}
    />
    {props.value === neverExpires && props.errorText && (
      <p className="wrong" role="alert">
        {props.errorText}
      </p>
    )}
  </div>
)

/** `canNeverExpire` is false for a new event, because the API gives each new event a date. */
export function EventExpiryField({ form, canNeverExpire = false }: { form: EventForm; canNeverExpire?: boolean }) {
  const Control = canNeverExpire ? ExpiryField : ExpiryDateField
  return (
    <Control
      value={form.draft.expires_at}
      onChange={(value) => form.set('expires_at', value)}
      errorText={form.errorText('expires_at') ?? form.errorText('expiration_days')}
      help={t('expiresAtHelp')}
    />
  )
}

export const RevealField = ({ form }: { form: EventForm }) => (
  <TextField label={t('revealAt')} help={t('revealAtHelp')} type="datetime-local" {...form.text('reveal_at')} />
)

const commonSessionDays = [1, 7, 30]

export function SessionDaysField({ form }: { form: EventForm }) {
  const chosen = Number(form.draft.guest_session_days)
  const choices = [...new Set([...commonSessionDays, chosen])].sort((a, b) => a - b)
  return (
    <SelectField label={t('sessionDays')} help={t('sessionDaysHelp')} {...form.text('guest_session_days')}>
      {choices.map((days) => (
        <option key={days} value={days}>
          {t('days', { count: days })}
        </option>
      ))}
    </SelectField>
  )
}
