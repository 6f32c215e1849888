import './dialog.css'
import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { translator } from '../desk/language.ts'
import { IconButton } from './button.tsx'
import { giveBackFocus } from './focus-trail.ts'

const t = translator('parts')

type Props = {
  title: string
  about?: ReactNode
  isOpen: boolean
  onClose: () => void
  isWide?: boolean
  children: ReactNode
}

/**
 * Escape, the close button and a click outside close the dialog and restore the focus. The first field of a form has
 * the initial focus, otherwise the close button.
 */
export const Dialog = ({ title, about, isOpen, onClose, isWide = false, children }: Props) => (
  <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="dialog-ground" />
      <Radix.Content
        className={`dialog${isWide ? ' wide' : ''}`}
        onOpenAutoFocus={goToFirstField}
        onCloseAutoFocus={giveBackFocus}
        {...(!about && { 'aria-describedby': undefined })}
      >
        <div className="dialog-head">
          <Radix.Title>{title}</Radix.Title>
          <Radix.Close asChild>
            <IconButton icon="close" label={t('close')} />
          </Radix.Close>
        </div>
        {about && <Radix.Description className="dialog-about">{about}</Radix.Description>}
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** Without check boxes and radio buttons: Enter in them would submit the form before the user has read it. */
const anyField = 'input:not([type="hidden"], [type="checkbox"], [type="radio"]), select, textarea'

/** Focuses the first field of a form. Not on touch screens, where the keyboard would cover half of the dialog. */
function goToFirstField(event: Event): void {
  if (matchMedia('(pointer: coarse)').matches || !(event.currentTarget instanceof HTMLElement)) return
  const field = event.currentTarget.querySelector<HTMLElement>(`:is(${anyField}):enabled`)
  if (!field?.closest('form')) return
  event.preventDefault()
  field.focus()
  if (field instanceof HTMLInputElement) field.select()
}
