import { useSyncExternalStore } from 'react'

export type BulkProgress = { label: string; done: number; total: number }

let running: BulkProgress | null = null
const listeners = new Set<() => void>()

export function showBulkProgress(next: BulkProgress | null): void {
  running = next
  for (const listener of listeners) listener()
}

export const useBulkProgress = (): BulkProgress | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => running,
  )
