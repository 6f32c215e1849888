import './selecting.css'
import { page, pickKind } from '../state/page.ts'
import { selected, selectRange, startSelecting, toggleSelected } from '../state/selection.ts'

export const canSelect = page.event.allow_downloads || pickKind !== null

export function handleSelectEvent(event: MouseEvent | KeyboardEvent, id: number): void {
  event.preventDefault()
  if (event.shiftKey) selectRange(id)
  else toggleSelected(id)
}

const longPressMs = 450
/** A finger that moves farther than this probably scrolls the page, so the press is canceled. */
const maxMovePx = 10

export function watchLongPress(place: HTMLElement): void {
  if (!canSelect) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let startPoint = { x: 0, y: 0 }
  let hasSelected = false
  const cancelPress = () => clearTimeout(timer)

  place.addEventListener('pointerdown', (event) => {
    cancelPress()
    hasSelected = false
    const photo = (event.target as Element).closest<HTMLElement>('[data-photo]')
    if (!photo || event.pointerType === 'mouse' || !event.isPrimary || selected.peek() !== null) return
    startPoint = { x: event.clientX, y: event.clientY }
    timer = setTimeout(() => {
      hasSelected = true
      navigator.vibrate?.(10)
      startSelecting(Number(photo.dataset.photo))
    }, longPressMs)
  })
  place.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (Math.hypot(clientX - startPoint.x, clientY - startPoint.y) > maxMovePx) cancelPress()
  })
  for (const end of ['pointerup', 'pointercancel', 'scroll'] as const)
    addEventListener(end, cancelPress, { passive: true })
  // Suppress the context menu of the link and the click that ends the touch.
  place.addEventListener('contextmenu', (event) => hasSelected && event.preventDefault())
  place.addEventListener(
    'click',
    (event) => {
      if (!hasSelected) return
      hasSelected = false
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true },
  )
}
