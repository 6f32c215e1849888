import './drag-photos.css'

/** A shorter move is a click. */
const minMovePx = 6
/** Near the edges of the window, the page scrolls. */
const edgePx = 80
const maxScrollPx = 18

type Point = { x: number; y: number }

type DragOptions = {
  /** The number of photos that move with the tile. */
  countAt: (index: number) => number
  formatCount: (count: number) => string
  onDrop: (from: number, insertAt: number) => void
}

/**
 * Lets the mouse and the pen drag the tiles of the photo grid. Touch scrolls and selects instead. Returns a function
 * that stops it.
 */
export function watchDrag({ countAt, formatCount, onDrop }: DragOptions): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let start: (Point & { tile: HTMLElement }) | null = null
  let drag: Drag | null = null

  const end = (): number | null => {
    const insertAt = drag?.end() ?? null
    start = null
    drag = null
    return insertAt
  }
  const onPointerDown = (event: PointerEvent) => {
    const target = event.target as Element
    const tile = findTile(target)
    if (!tile || event.pointerType === 'touch' || event.button !== 0 || target.closest('[data-act]')) return
    start = { tile, x: event.clientX, y: event.clientY }
  }
  const onPointerMove = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (start && !drag && Math.hypot(x - start.x, y - start.y) > minMovePx) {
      drag = beginDrag(start.tile, formatCount(countAt(getIndex(start.tile))))
    }
    drag?.moveTo({ x, y })
  }
  const onPointerUp = () => {
    const from = drag?.from
    const insertAt = end()
    if (from === undefined) return
    // The click that follows would select the photo.
    addEventListener('click', suppress, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', suppress, { capture: true }))
    if (insertAt !== null) onDrop(from, insertAt)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!drag || event.key !== 'Escape') return
    suppress(event)
    end()
  }

  addEventListener('pointerdown', onPointerDown, { signal })
  addEventListener('pointermove', onPointerMove, { signal })
  addEventListener('pointerup', onPointerUp, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', onKeyDown, { capture: true, signal })
  return () => {
    end()
    controller.abort()
  }
}

type Drag = ReturnType<typeof beginDrag>

/** Shows the label at the pointer and the mark at the place of the drop, and scrolls near the edges. */
function beginDrag(tile: HTMLElement, text: string) {
  const label = document.createElement('div')
  label.className = 'photo-drag-label'
  label.ariaHidden = 'true'
  label.textContent = text
  const page = tile.closest('.photo-grid')?.parentElement ?? document.body
  page.append(label)
  document.documentElement.classList.add('dragging-photos')
  let pointer: Point | null = null
  let insertAt: number | null = null
  let frame = requestAnimationFrame(scroll)

  function moveTo(point: Point): void {
    pointer = point
    label.style.translate = `${point.x + 14}px ${point.y + 14}px`
    clearDropMark()
    insertAt = markDrop(point)
  }

  function scroll(): void {
    frame = requestAnimationFrame(scroll)
    if (!pointer) return
    const over = Math.max(0, pointer.y - (innerHeight - edgePx)) - Math.max(0, edgePx - pointer.y)
    if (over === 0) return
    scrollBy({ top: (over / edgePx) * maxScrollPx, behavior: 'instant' })
    moveTo(pointer)
  }

  /** Returns the index before which the photos are dropped; null outside the grid. */
  function end(): number | null {
    cancelAnimationFrame(frame)
    clearDropMark()
    label.remove()
    document.documentElement.classList.remove('dragging-photos')
    return insertAt
  }

  return { from: getIndex(tile), moveTo, end }
}

/** Marks the nearer side of the tile at the point. Returns the index before which a drop puts photos. */
function markDrop({ x, y }: Point): number | null {
  const tile = findTile(document.elementFromPoint(x, y))
  if (!tile) return null
  const { left, width } = tile.getBoundingClientRect()
  const isRightToLeft = getComputedStyle(tile).direction === 'rtl'
  const isAfter = x > left + width / 2 !== isRightToLeft
  tile.dataset.drop = isAfter ? 'after' : 'before'
  return getIndex(tile) + Number(isAfter)
}

function clearDropMark(): void {
  for (const tile of document.querySelectorAll<HTMLElement>('[data-drop]')) delete tile.dataset.drop
}

const findTile = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('.photo-grid [data-photo]') ?? null

const getIndex = ({ dataset }: HTMLElement): number => Number(dataset.index)

function suppress(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
