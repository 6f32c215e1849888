const longPressMs = 450
/** A larger move is a scroll. */
const maxMovePx = 10

/** Suppresses the click and the context menu that follow a long touch. Returns a function that stops watching. */
export function watchLongPress(grid: HTMLElement, onLongPress: (index: number) => void): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let start = { x: 0, y: 0 }
  let wasLong = false
  const cancel = () => clearTimeout(timer)

  grid.addEventListener(
    'pointerdown',
    (event) => {
      cancel()
      const tile = (event.target as Element).closest<HTMLElement>('[data-photo]')
      if (!tile || event.pointerType === 'mouse' || !event.isPrimary) return
      start = { x: event.clientX, y: event.clientY }
      timer = setTimeout(() => {
        wasLong = true
        navigator.vibrate?.(10)
        onLongPress(Number(tile.dataset.index))
      }, longPressMs)
    },
    { signal },
  )
  grid.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - start.x, clientY - start.y) > maxMovePx) cancel()
    },
    { signal },
  )
  for (const end of ['pointerup', 'pointercancel', 'scroll'] as const) {
    addEventListener(end, cancel, { passive: true, signal })
  }
  grid.addEventListener('contextmenu', (event) => wasLong && event.preventDefault(), { signal })
  // On the whole window: the callback may show an element below the finger, and the click must not hit it.
  addEventListener(
    'click',
    (event) => {
      if (!wasLong) return
      wasLong = false
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true, signal },
  )
  addEventListener(
    'pointerdown',
    () => {
      wasLong = false
    },
    { capture: true, signal },
  )
  return () => {
    cancel()
    controller.abort()
  }
}
