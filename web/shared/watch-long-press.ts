const longPressMs = 450
/** A larger move is a scroll. */
const maxMovePx = 10

type LongPressOptions = { onLongPress: (tile: HTMLElement) => void; isEnabled?: () => boolean }

/**
 * Calls `onLongPress` with the `[data-photo]` element that is touched long. Suppresses the click and the context menu that
 * follow. Returns a function that stops watching.
 */
export function watchLongPress(
  grid: HTMLElement,
  { onLongPress, isEnabled = () => true }: LongPressOptions,
): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let start = { x: 0, y: 0 }
  let wasLong = false
  const cancel = () => clearTimeout(timer)

  const onPointerDown = (event: PointerEvent) => {
    cancel()
    const tile = (event.target as Element).closest<HTMLElement>('[data-photo]')
    if (!tile || event.pointerType === 'mouse' || !event.isPrimary || !isEnabled()) return
    start = { x: event.clientX, y: event.clientY }
    timer = setTimeout(() => {
      wasLong = true
      navigator.vibrate?.(10)
      onLongPress(tile)
    }, longPressMs)
  }
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - start.x, clientY - start.y) > maxMovePx) cancel()
  }
  const reset = () => {
    wasLong = false
  }
  const suppressClick = (event: MouseEvent) => {
    if (!wasLong) return
    wasLong = false
    event.preventDefault()
    event.stopPropagation()
  }

  grid.addEventListener('pointerdown', onPointerDown, { signal })
  grid.addEventListener('pointermove', onPointerMove, { signal })
  for (const end of ['pointerup', 'pointercancel', 'scroll'] as const) {
    addEventListener(end, cancel, { passive: true, signal })
  }
  grid.addEventListener('contextmenu', (event) => wasLong && event.preventDefault(), { signal })
  // On the whole window: the callback may show an element below the finger, and the click must not hit it.
  addEventListener('click', suppressClick, { capture: true, signal })
  addEventListener('pointerdown', reset, { capture: true, signal })
  return () => {
    cancel()
    controller.abort()
  }
}
