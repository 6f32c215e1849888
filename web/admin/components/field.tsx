import './field.css'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId } from 'react'

type LabelProps = { label: string; help?: ReactNode; errorText?: string | null | undefined }

type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** A control of any kind with its label, help and error, linked for screen readers. */
export function Field({
  label,
  help,
  errorText,
  children,
}: LabelProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  useFocusOnError(id, Boolean(errorText))
  const describedBy = [errorText && `${id}-wrong`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(describedBy && { 'aria-describedby': describedBy }),
        ...(errorText && { 'aria-invalid': true }),
      })}
      {errorText && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {errorText}
        </p>
      )}
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

/** Focuses the control if it is the first invalid one of its form, unless the user is already in a field. */
function useFocusOnError(id: string, hasError: boolean): void {
  useEffect(() => {
    const control = document.getElementById(id)
    if (!hasError || !control || document.activeElement?.matches('input, select, textarea')) return
    if (control.closest('form')?.querySelector('[aria-invalid="true"]') === control) control.focus()
  }, [id, hasError])
}

type FieldProps<Element extends 'input' | 'textarea' | 'select'> = LabelProps & Omit<ComponentProps<Element>, 'id'>

export const TextField = ({ label, help, errorText, ...input }: FieldProps<'input'>) => (
  <Field label={label} help={help} errorText={errorText}>
    {(control) => <input type="text" {...input} {...control} />}
  </Field>
)

export const TextArea = ({ label, help, errorText, ...area }: FieldProps<'textarea'>) => (
  <Field label={label} help={help} errorText={errorText}>
    {(control) => <textarea rows={4} {...area} {...control} />}
  </Field>
)

export const SelectField = ({ label, help, errorText, ...select }: FieldProps<'select'>) => (
  <Field label={label} help={help} errorText={errorText}>
    {(control) => <select {...select} {...control} />}
  </Field>
)

type ToggleProps = Pick<LabelProps, 'label' | 'help'> & Omit<ComponentProps<'input'>, 'id' | 'type'>

export const SwitchField = (props: ToggleProps) => <Toggle {...props} role="switch" />

export const CheckField = (props: ToggleProps) => <Toggle {...props} />

function Toggle({ label, help, ...input }: ToggleProps) {
  const id = useId()
  return (
    <div className={`toggle${input.role === 'switch' ? ' switch' : ''}`}>
      <input type="checkbox" id={id} {...(help && { 'aria-describedby': `${id}-help` })} {...input} />
      <label htmlFor={id}>{label}</label>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

/**
 * Returns whether a field contains input that the browser cannot parse, such as half a date; its `value` is then empty.
 * Shows the message of the browser at the first such field.
 */
export function reportBadInput(form: HTMLFormElement | null): boolean {
  const inputs = [...(form?.querySelectorAll('input') ?? [])]
  const field = inputs.find(({ willValidate, validity }) => willValidate && validity.badInput)
  if (!field) return false
  const details = field.closest('details')
  if (details) details.open = true
  field.reportValidity()
  return true
}

export const handleSubmit = (send: (form: FormData) => void) => (event: FormEvent<HTMLFormElement>) => {
  event.preventDefault()
  send(new FormData(event.currentTarget))
}
