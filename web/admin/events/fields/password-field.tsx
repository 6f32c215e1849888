import './password-field.css'
import { suggestPassword } from '../../../../contract/suggest-password.ts'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'

const t = translator('events')

type Props = {
  label: string
  help?: string | undefined
  value: string
  onChange: (password: string) => void
  errorText: string | null
}

/** A gallery password is shared with guests, so the field shows it in plain text. */
export const PasswordField = ({ label, help, value, onChange, errorText }: Props) => (
  <Field label={label} help={help} errorText={errorText}>
    {(control) => (
      <div className="event-password">
        <input
          {...control}
          type="text"
          value={value}
          maxLength={128}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
        />
        <Button icon="key" onClick={() => onChange(suggestPassword())}>
          {t('suggest')}
        </Button>
      </div>
    )}
  </Field>
)
