import { type TouchEvent, useRef } from 'react'

const minSwipePx = 60

/** Calls `onSwipe` with 1 for the next and -1 for the previous photo. Ignores touches of two fingers, which zoom. */
export function useSwipe(onSwipe: (side: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0]
      const isSingleTouch = touches.length === 1 && !(target instanceof HTMLVideoElement) && visualViewport?.scale === 1
      start.current = touch && isSingleTouch ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd: ({ changedTouches, currentTarget }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!start.current || !touch) return
      const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y]
      start.current = null
      if (Math.abs(x) < minSwipePx || Math.abs(x) < 2 * Math.abs(y)) return
      const isRightToLeft = getComputedStyle(currentTarget).direction === 'rtl'
      onSwipe(x < 0 === isRightToLeft ? -1 : 1)
    },
  }
}
