import './expiry-field.css'
import { translator } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { inDays } from './local-time.ts'

const t = translator('events')

const usualDays = [30, 90, 365]

type Props = { value: string; onChange: (value: string) => void; wrong: string | null; help?: string }

export const ExpiryField = ({ value, onChange, wrong, help }: Props) => (
  <div className="event-expiry">
    <TextField
      label={t('expiresAt')}
      type="datetime-local"
      value={value}
      wrong={wrong}
      help={help}
      onChange={({ target }) => onChange(target.value)}
    />
    <div className="buttons">
      {usualDays.map((days) => (
        <Button key={days} kind="quiet" onClick={() => onChange(inDays(days))}>
          {t('inDays', { count: days })}
        </Button>
      ))}
    </div>
  </div>
)
