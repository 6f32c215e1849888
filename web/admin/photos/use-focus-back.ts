import { useEffect, useRef } from 'react'

/** When what lay over the page is gone, and has left the focus nowhere, it goes to where the grid was. */
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
