import { useSyncExternalStore } from 'react'

/** Creates a value outside of components. A component that calls `useValue` renders again when the value changes. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    getValue: () => value,
    setValue(next: Value): void {
      value = next
      for (const listener of listeners) listener()
    },
    useValue: (): Value => useSyncExternalStore(subscribe, () => value),
  }
}
