const longPressMs = 450
/** A finger that wanders further scrolls. */
const nearPx = 10

/**
 * Tells of a long touch of a photo, by its place. The click that ends it, and the browser's own menu, are not meant then.
 * Answers how to stop.
 */
export function watchLongPress(grid: HTMLElement, onLongPress: (index: number) => void): () => void {
  const life = new AbortController()
  const { signal } = life
  let timer: ReturnType<typeof setTimeout> | undefined
  let begun = { x: 0, y: 0 }
  let wasLong = false
  const giveUp = () => clearTimeout(timer)

  grid.addEventListener(
    'pointerdown',
    (event) => {
      giveUp()
      const tile = (event.target as Element).closest<HTMLElement>('[data-photo]')
      if (!tile || event.pointerType === 'mouse' || !event.isPrimary) return
      begun = { x: event.clientX, y: event.clientY }
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
      if (Math.hypot(clientX - begun.x, clientY - begun.y) > nearPx) giveUp()
    },
    { signal },
  )
  for (const end of ['pointerup', 'pointercancel', 'scroll'] as const) {
    addEventListener(end, giveUp, { passive: true, signal })
  }
  grid.addEventListener('contextmenu', (event) => wasLong && event.preventDefault(), { signal })
  // Anywhere: what came up below the finger is not meant either.
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
    giveUp()
    life.abort()
  }
}
