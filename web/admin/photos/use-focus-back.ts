import { useEffect, useRef } from 'react'

/** Moves the focus back to the grid when a dialog closes and nothing else has taken the focus. */
export function useFocusBack(isFree: boolean, toGrid: () => void): void {
  const wasFree = useRef(isFree)
  const latest = useRef(toGrid)
  latest.current = toGrid
  useEffect(() => {
    const isFreed = isFree && !wasFree.current
    wasFree.current = isFree
    if (!isFreed) return
    const timer = setTimeout(() => document.activeElement === document.body && latest.current())
    return () => clearTimeout(timer)
  }, [isFree])
}
