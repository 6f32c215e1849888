import type { Signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../state/page.ts'
import {
  centerPin,
  type Mark,
  moveMark,
  type PictureBox,
  type PictureFrame,
  placeOf,
  resizeMark,
  toMark,
} from './mark-geometry.ts'

type Props = { frame: PictureFrame; drawn: Signal<Mark | null>; onLeave: () => void; onDrawn: () => void }

/** How far an arrow key moves, in pixels of the window, and if it is held. */
const stepPx = 8
const heldStepPx = 24

const directions: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Takes a tap as a pin and a drag as a box. Two fingers zoom and move the picture. */
export function DrawSurface({ frame, drawn, onLeave, onDrawn }: Props) {
  const surface = useRef<HTMLDivElement>(null)
  const start = useRef<PointerEvent | null>(null)
  const fingers = useRef(new Map<number, PointerEvent>())
  useLayoutEffect(() => {
    const before = document.activeElement
    surface.current?.focus({ preventScroll: true })
    return () => {
      drawn.value = null
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    fingers.current.set(event.pointerId, event)
    if (fingers.current.size === 1) {
      start.current = event
      surface.current?.setPointerCapture(event.pointerId)
    } else if (start.current) {
      start.current = null
      drawn.value = null
      for (const finger of fingers.current.values())
        frame.gestures.dispatchEvent(new PointerEvent('pointerdown', finger))
    } else frame.gestures.dispatchEvent(new PointerEvent('pointerdown', event))
  }
  const onMove = (event: PointerEvent) => {
    const box = frame.getBox()
    if (start.current?.pointerId === event.pointerId && box) drawn.value = toMark(box, start.current, event)
  }
  const onUp = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId)
    if (start.current?.pointerId !== event.pointerId) return
    onMove(event)
    start.current = null
    if (event.type === 'pointercancel') drawn.value = null
    else if (drawn.peek()) onDrawn()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const box = frame.getBox()
    const direction = directions[event.key]
    const isHandled = box !== null && (direction !== undefined || event.key === 'Enter')
    if (event.key !== 'Escape' && !isHandled) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return onLeave()
    if (!box) return
    const mark = drawn.peek() ?? firstPin(box)
    if (!direction) {
      drawn.value = mark
      return onDrawn()
    }
    const px = event.repeat ? heldStepPx : stepPx
    const step = { x: Math.round((px / box.width) * 1e6), y: Math.round((px / box.height) * 1e6) }
    const by = { x: direction[0] * step.x, y: direction[1] * step.y }
    drawn.value = event.shiftKey ? resizeMark(mark, by, step) : moveMark(mark, by)
  }

  const mark = drawn.value
  return (
    <>
      <div
        ref={surface}
        class="draw-surface"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys draw here
        tabIndex={0}
        aria-label={t('markAdd')}
        aria-describedby="mark-keys"
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={onUp}
        onKeyDown={onKeyDown}
      />
      <p class="draw-hint">
        <span>{t('markHint')}</span>
        <span class="draw-keys" id="mark-keys">
          {t('markKeys')}
        </span>
      </p>
      <p class="heard" role="status">
        {mark && t(mark.kind === 'pin' ? 'markPinNew' : 'markBoxNew', { place: t(placeOf(mark)) })}
      </p>
    </>
  )
}

/** Returns a pin in the middle of the picture, or of the window if that part of the picture is not visible. */
function firstPin({ left, top, width, height }: PictureBox): Mark {
  const [x, y] = [left + width / 2, top + height / 2]
  const middle = { clientX: innerWidth / 2, clientY: innerHeight / 2 }
  const isVisible = x > 0 && y > 0 && x < innerWidth && y < innerHeight
  return (!isVisible && toMark({ left, top, width, height }, middle, middle)) || centerPin
}
