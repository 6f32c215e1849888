import './selecting.css'
import { page, pickKind } from '../state/page.ts'
import { selected, selectRange, startSelecting, toggleSelected } from '../state/selection.ts'

/** Whether there is anything to select photos for. */
export const maySelect = page.event.allow_downloads || pickKind !== null

/** A click, Enter or Space on a photo while photos are being selected; with Shift all from the one touched last. */
export function selectByHand(event: MouseEvent | KeyboardEvent, id: number): void {
  event.preventDefault()
  if (event.shiftKey) selectRange(id)
  else toggleSelected(id)
}

const longPressMs = 450
/** A finger that wanders further scrolls. */
const nearPx = 10

/** A long touch of a photo starts selecting, with that photo. */
export function watchLongPress(place: HTMLElement): void {
  if (!maySelect) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let begun = { x: 0, y: 0 }
  let hasSelected = false
  const giveUp = () => clearTimeout(timer)

  place.addEventListener('pointerdown', (event) => {
    giveUp()
    hasSelected = false
    const photo = (event.target as Element).closest<HTMLElement>('[data-photo]')
    if (!photo || event.pointerType === 'mouse' || !event.isPrimary || selected.peek() !== null) return
    begun = { x: event.clientX, y: event.clientY }
    timer = setTimeout(() => {
      hasSelected = true
      navigator.vibrate?.(10)
      startSelecting(Number(photo.dataset.photo))
    }, longPressMs)
  })
  place.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (Math.hypot(clientX - begun.x, clientY - begun.y) > nearPx) giveUp()
  })
  for (const end of ['pointerup', 'pointercancel', 'scroll'] as const) addEventListener(end, giveUp, { passive: true })
  // The browser's own menu of a link, and the click that ends the touch, are not meant.
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
