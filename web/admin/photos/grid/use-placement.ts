import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Returns the result of `measure` for an element, measured again when the size of the element or of the page changes.
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
