import '../../shared/progress.css'
import './sheet.css'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../state/page.ts'
import { lockScroll } from './block-page.ts'
import { Icon } from './icon.tsx'

type Props = { title: string; onClose: () => void; children: ComponentChildren; isWide?: boolean }

/** At first the element with `data-first` has the focus, or else the close button. */
export function Sheet({ title, onClose, children, isWide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isBackdropPress = useRef(false)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const before = document.activeElement
    const unlockScroll = lockScroll()
    // Some browsers close the dialog without a `cancel` event.
    const onClosed = () => close.current()
    element.showModal()
    element.querySelector<HTMLElement>('[data-first]')?.focus()
    element.addEventListener('close', onClosed)
    return () => {
      element.removeEventListener('close', onClosed)
      element.close()
      unlockScroll()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`sheet${isWide ? ' wide' : ''}`}
      aria-label={title}
      onCancel={(event) => {
        // The `cancel` event of a field inside, such as a file input, bubbles up to here.
        if (event.target !== dialog.current) return
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        isBackdropPress.current = event.target === dialog.current
      }}
      onClick={(event) => {
        // A text selection that starts inside the sheet and ends outside also fires a click.
        if (isBackdropPress.current && event.target === dialog.current) onClose()
      }}
    >
      <div class="sheet-body">
        <div class="sheet-head">
          <h2 dir="auto">{title}</h2>
          <button type="button" class="round" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** Properties of the text field where a dialog begins. The keyboard of a touch screen would cover what is above it. */
export const typedFirst = (): { 'data-first'?: true } =>
  matchMedia('(pointer: coarse)').matches ? {} : { 'data-first': true }

export const focusOnMount = (element: HTMLElement | null) => element?.focus()
