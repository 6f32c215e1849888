import { useEffect, useRef } from 'react'

/** Moves the focus back to the grid when a dialog closes and nothing else has taken the focus. */
export function useFocusReturn(hasNoOverlay: boolean, focusGrid: () => void): void {
  const hadNoOverlay = useRef(hasNoOverlay)
  const latest = useRef(focusGrid)
  latest.current = focusGrid
  useEffect(() => {
    const isOverlayClosed = hasNoOverlay && !hadNoOverlay.current
    hadNoOverlay.current = hasNoOverlay
    if (!isOverlayClosed) return
    const timer = setTimeout(() => document.activeElement === document.body && latest.current())
    return () => clearTimeout(timer)
  }, [hasNoOverlay])
}
