import { useLayoutEffect, useState } from 'preact/hooks'

type Ref = { current: HTMLElement | null }

/**
 * Measures an element after the first render and whenever its size changes. Returns null before the first measurement.
 * `inputs` are the dependencies of the effect.
 */
export function useMeasured<T>(ref: Ref, measure: (element: HTMLElement) => T, inputs: unknown[] = []): T | null {
  const [measured, setMeasured] = useState<T | null>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const update = () => setMeasured(measure(element))
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    return () => observer.disconnect()
  }, inputs)
  return measured
}
