import './dialog.css'
import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { translator } from '../app/language.ts'
import { IconButton } from './button.tsx'
import { restoreFocus } from './focus-history.ts'

const t = translator('parts')

type Props = {
  title: string
  description?: ReactNode
  isOpen: boolean
  onClose: () => void
  isWide?: boolean
  children: ReactNode
}

/** Escape, the close button and a click outside call `onClose`. A closed dialog restores the previous focus. */
export const Dialog = ({ title, description, isOpen, onClose, isWide = false, children }: Props) => (
  <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="dialog-ground" />
      <Radix.Content
        className={`dialog${isWide ? ' wide' : ''}`}
        onOpenAutoFocus={focusFirstField}
        onCloseAutoFocus={restoreFocus}
        {...(!description && { 'aria-describedby': undefined })}
      >
        <div className="dialog-head">
          <Radix.Title>{title}</Radix.Title>
          <Radix.Close asChild>
            <IconButton icon="close" label={t('close')} />
          </Radix.Close>
        </div>
        {description && <Radix.Description className="dialog-about">{description}</Radix.Description>}
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/**
 * Excludes check boxes and radio buttons: if one had the focus, Enter would submit a form that the user has not read.
 */
const fieldSelector = 'input:not([type="hidden"], [type="checkbox"], [type="radio"]), select, textarea'

/** Focuses the first field of a form, except on touch screens: their keyboard would cover half of the dialog. */
function focusFirstField(event: Event): void {
  if (matchMedia('(pointer: coarse)').matches || !(event.currentTarget instanceof HTMLElement)) return
  const field = event.currentTarget.querySelector<HTMLElement>(`:is(${fieldSelector}):enabled`)
  if (!field?.closest('form')) return
  event.preventDefault()
  field.focus()
  if (field instanceof HTMLInputElement) field.select()
}
