import './button.css'
import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** `primary`: the main action. `quiet`: without a border. `danger`: for an action that loses data or protection. */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

export const buttonClass = (kind: ButtonKind = 'plain'): string => `button ${kind}`

type ButtonProps = ComponentProps<'button'> & { kind?: ButtonKind; icon?: IconName; isBusy?: boolean }

/** A busy button stays focusable and ignores clicks. */
export const Button = ({ kind, icon, isBusy = false, className, children, onClick, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={[buttonClass(kind), isBusy && 'busy', className].filter(Boolean).join(' ')}
    {...(isBusy && { 'aria-disabled': true })}
    onClick={isBusy ? (event) => event.preventDefault() : onClick}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
)

export const SubmitButton = (props: ButtonProps) => <Button kind="primary" {...props} type="submit" />

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  icon: IconName
  /** The accessible name and the tooltip. */
  label: string
  isFilled?: boolean
}

export const IconButton = ({ icon, label, isFilled, className = '', ...rest }: IconButtonProps) => (
  <button type="button" {...rest} className={`icon-button ${className}`} aria-label={label} title={label}>
    <Icon name={icon} isFilled={isFilled ?? false} />
  </button>
)

export const Buttons = ({ children, isAtEnd = false }: { children: ReactNode; isAtEnd?: boolean }) => (
  <div className={`buttons${isAtEnd ? ' at-end' : ''}`}>{children}</div>
)
