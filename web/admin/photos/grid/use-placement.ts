import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Returns what `measure` reads of an element, again after each change of its size or of the content above it.
 * `measure` must be the same function in each render.
 */
export function usePlacement<Placement>(
  ref: RefObject<HTMLElement | null>,
  initial: Placement,
  measure: (box: DOMRect) => Placement,
): Placement {
  const [placement, setPlacement] = useState(initial)
  useLayoutEffect(() => {
    const { current: element } = ref
    if (!element) return
    const update = () => {
      const next = measure(element.getBoundingClientRect())
      setPlacement((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [ref, measure])
  return placement
}
