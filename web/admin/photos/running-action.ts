import { useSyncExternalStore } from 'react'

export type RunningAction = { label: string; done: number; total: number }

let running: RunningAction | null = null
const listeners = new Set<() => void>()

export function showRunning(next: RunningAction | null): void {
  running = next
  for (const listener of listeners) listener()
}

export const useRunningAction = (): RunningAction | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => running,
  )
