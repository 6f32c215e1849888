import './field.css'
import { type ComponentProps, type ReactNode, useEffect, useId } from 'react'

type About = {
  label: string
  /** What it means, below it. */
  help?: ReactNode
  /** Why what stands in it was not taken. */
  wrong?: string | null | undefined
}

type Control = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** A label, a control of any kind, and what is to be said of it, tied together for whoever does not see them. */
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

/** The first field at fault takes the focus from whatever the form was sent by; nobody is taken away from where they write. */
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

/** `children`: its options. */
export const SelectField = ({ label, help, wrong, ...select }: Of<'select'>) => (
  <Field label={label} help={help} wrong={wrong}>
    {(control) => <select {...select} {...control} />}
  </Field>
)

type ToggleProps = Pick<About, 'label' | 'help'> & Omit<ComponentProps<'input'>, 'id' | 'type'>

/** On or off, at once or with the form. */
export const SwitchField = (props: ToggleProps) => <Toggle {...props} role="switch" />

/** One of several that may be ticked. */
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
