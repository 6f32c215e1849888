import './dialog.css'
import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { sayIn } from '../desk/language.ts'
import { IconButton } from './button.tsx'
import { giveBackFocus } from './focus-trail.ts'

const say = sayIn('parts')

type Props = {
  title: string
  /** What it is about, read after the title. */
  about?: ReactNode
  isOpen: boolean
  onClose: () => void
  isWide?: boolean
  children: ReactNode
}

/**
 * Lies over the page: Escape, the cross and a click beside it close it, and the focus goes back to where it was. One that
 * begins with a field to fill in has the focus there, any other on the cross.
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
            <IconButton icon="close" label={say('close')} />
          </Radix.Close>
        </div>
        {about && <Radix.Description className="dialog-about">{about}</Radix.Description>}
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** What is ticked or chosen by a press is left out: Enter in it would send the form unseen. */
const anyField = 'input:not([type="hidden"], [type="checkbox"], [type="radio"]), select, textarea'

/** To the first field where that is part of a form. Under a finger it would bring up the keyboard, over half of the dialog. */
function goToFirstField(event: Event): void {
  if (matchMedia('(pointer: coarse)').matches || !(event.currentTarget instanceof HTMLElement)) return
  const field = event.currentTarget.querySelector<HTMLElement>(`:is(${anyField}):enabled`)
  if (!field?.closest('form')) return
  event.preventDefault()
  field.focus()
  if (field instanceof HTMLInputElement) field.select()
}
