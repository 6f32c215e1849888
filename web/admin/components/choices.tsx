import './choices.css'
import { type ReactNode, useId } from 'react'

export type Choice<Value extends string> = { value: Value; label: string; help?: string; picture?: ReactNode }

type Props<Value extends string> = {
  label: string
  choices: ReadonlyArray<Choice<Value>>
  value: Value | ''
  onChange: (value: Value) => void
  isPictured?: boolean
}

export function Choices<Value extends string>({ label, choices, value, onChange, isPictured = false }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={`choices${isPictured ? ' pictured' : ''}`}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="choice">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            {...(choice.help && { 'aria-describedby': `${name}-${choice.value}` })}
          />
          {choice.picture}
          <span className="choice-label">{choice.label}</span>
          {choice.help && (
            <span className="help" id={`${name}-${choice.value}`}>
              {choice.help}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
