import './sheet.css'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { say } from '../state/page.ts'
import { holdPage } from './hold-page.ts'
import { Icon } from './icon.tsx'

type Props = { title: string; onClose: () => void; children: ComponentChildren; isWide?: boolean }

/**
 * A dialog: from below on a phone, in the middle of a larger window. Escape, the cross, the back gesture of a phone and a
 * tap beside it close it, and the focus goes back to where it was. Whatever has `data-first` gets the focus first, else
 * the cross. Keys pressed in it reach nothing behind it.
 */
export function Sheet({ title, onClose, children, isWide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isTapBeside = useRef(false)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const before = document.activeElement
    const letGo = holdPage()
    // Some browsers close it without asking first.
    const onClosed = () => close.current()
    element.showModal()
    element.querySelector<HTMLElement>('[data-first]')?.focus()
    element.addEventListener('close', onClosed)
    return () => {
      element.removeEventListener('close', onClosed)
      element.close()
      letGo()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`sheet${isWide ? ' wide' : ''}`}
      aria-label={title}
      onCancel={(event) => {
        // Of a field within, such as one for files, it would bubble up here.
        if (event.target !== dialog.current) return
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        isTapBeside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        // Text that is selected from within to beside it ends in a click as well.
        if (isTapBeside.current && event.target === dialog.current) onClose()
      }}
    >
      <div class="sheet-body">
        <div class="sheet-head">
          <h2 dir="auto">{title}</h2>
          <button type="button" class="round" aria-label={say('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
