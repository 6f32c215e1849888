import { useSyncExternalStore } from 'react'
import { showError } from '../../components/notices.tsx'
import { splitIntoChunks } from './concurrency.ts'

type BulkProgress = { label: string; done: number; total: number }

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

type ChunkOptions = { size: number; label: string; action: (photoIds: number[]) => Promise<unknown> }

/** Runs `action` for each chunk of the ids in order. At the first error, shows it, stops and resolves to false. */
export async function runInChunks(ids: readonly number[], { size, label, action }: ChunkOptions): Promise<boolean> {
  const chunks = splitIntoChunks(ids, size)
  try {
    for (const [index, chunk] of chunks.entries()) {
      await action(chunk)
      if (chunks.length > 1) showBulkProgress({ label, done: index + 1, total: chunks.length })
    }
    return true
  } catch (error) {
    showError(error)
    return false
  } finally {
    showBulkProgress(null)
  }
}
