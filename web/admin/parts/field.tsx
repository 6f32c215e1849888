import './field.css'
import { type ComponentProps, type ReactNode, useEffect, useId } from 'react'

type About = {
  label: string
  help?: ReactNode
  wrong?: string | null | undefined
}

type Control = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** A control of any kind with its label, help and error, linked for screen readers. */
export function Field({ label, help, wrong, children }: About & { children: (control: Control) => ReactNode }) {
  const id = useId()
  useGoToFault(id, Boolean(wrong))
  const described = [wrong && `${id}-wrong`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(described && { 'aria-describedby': described }), ...(wrong && { 'aria-invalid': true }) })}
      {wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
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

/** Focuses the first invalid field, unless the user is already in a field. */
function useGoToFault(id: string, isWrong: boolean): void {
  useEffect(() => {
    const control = document.getElementById(id)
    if (!isWrong || !control || document.activeElement?.matches('input, select, textarea')) return
    if (control.closest('form')?.querySelector('[aria-invalid="true"]') === control) control.focus()
  }, [id, isWrong])
}

type Of<Element extends 'input' | 'textarea' | 'select'> = About & Omit<ComponentProps<Element>, 'id'>

export const TextField = ({ label, help, wrong, ...input }: Of<'input'>) => (
  <Field label={label} help={help} wrong={wrong}>
    {(control) => <input type="text" {...input} {...control} />}
  </Field>
)

export const TextArea = ({ label, help, wrong, ...area }: Of<'textarea'>) => (
  <Field label={label} help={help} wrong={wrong}>
    {(control) => <textarea rows={4} {...area} {...control} />}
  </Field>
)

/** `children` are the options. */
export const SelectField = ({ label, help, wrong, ...select }: Of<'select'>) => (
  <Field label={label} help={help} wrong={wrong}>
    {(control) => <select {...select} {...control} />}
  </Field>
)

type ToggleProps = Pick<About, 'label' | 'help'> & Omit<ComponentProps<'input'>, 'id' | 'type'>

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
