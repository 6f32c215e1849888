import type { Point } from './linked-view.ts'

type GestureHandlers = {
  pan: (by: Point) => void
  zoomBy: (factor: number, at: Point) => void
  /** Called on a double tap or a double click. */
  toggle: (at: Point) => void
}

const doubleTapMs = 300
const tapRadiusPx = 24

export function watchGestures(frame: HTMLElement, { pan, zoomBy, toggle }: GestureHandlers): () => void {
  const pointers = new Map<number, Point>()
  let movedPx = 0
  let lastTap = { at: Number.NEGATIVE_INFINITY, left: 0, top: 0 }

  const toFramePoint = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top, width, height } = frame.getBoundingClientRect()
    return { left: clientX - left - width / 2, top: clientY - top - height / 2 }
  }

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as Element).closest('button')) return
    frame.setPointerCapture(event.pointerId)
    if (pointers.size === 0) movedPx = 0
    pointers.set(event.pointerId, toFramePoint(event))
  }
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId)
    if (!before) return
    const now = toFramePoint(event)
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point)
    pointers.set(event.pointerId, now)
    const by = { left: now.left - before.left, top: now.top - before.top }
    movedPx += Math.hypot(by.left, by.top)
    if (!other) return pan(by)
    const center = { left: (now.left + other.left) / 2, top: (now.top + other.top) / 2 }
    zoomBy(distance(now, other) / Math.max(1, distance(before, other)), center)
    pan({ left: by.left / 2, top: by.top / 2 })
  }
  const onUp = (event: PointerEvent) => {
    const wasDown = pointers.delete(event.pointerId)
    if (!wasDown || event.type === 'pointercancel' || pointers.size > 0 || movedPx > tapRadiusPx) return
    const at = toFramePoint(event)
    const isSecond = event.timeStamp - lastTap.at < doubleTapMs && distance(at, lastTap) < tapRadiusPx
    lastTap = isSecond ? { ...at, at: Number.NEGATIVE_INFINITY } : { ...at, at: event.timeStamp }
    if (isSecond) toggle(at)
  }
  const onWheel = (event: WheelEvent) => {
    event.preventDefault()
    // Some mice report lines, about 16 pixels each. Browsers report a touchpad pinch as small steps with `ctrlKey`.
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 16
    zoomBy(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0025)), toFramePoint(event))
  }

  const listening = new AbortController()
  const { signal } = listening
  frame.addEventListener('pointerdown', onDown, { signal })
  frame.addEventListener('pointermove', onMove, { signal })
  frame.addEventListener('pointerup', onUp, { signal })
  frame.addEventListener('pointercancel', onUp, { signal })
  frame.addEventListener('wheel', onWheel, { signal, passive: false })
  return () => listening.abort()
}

const distance = (one: Point, other: Point): number => Math.hypot(one.left - other.left, one.top - other.top)
