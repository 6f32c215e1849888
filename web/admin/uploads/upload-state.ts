import { useSyncExternalStore } from 'react'
import type { Interrupted } from './stored-queue.ts'
import type { RepeatedFile, UploadEntry } from './upload-entries.ts'

/** All uploads of this page. Entries are mutated in place, so `version` changes with each update. */
export type Uploads = {
  version: number
  entries: readonly UploadEntry[]
  isPaused: boolean
  trouble: 'line' | 'service' | null
  bytesPerSecond: number | null
  /** By event id. `repeated`: files that were selected again or have the same content. */
  events: ReadonlyMap<number, { name: string; repeated: readonly RepeatedFile[]; ignoredSystemFiles: number }>
  /** By event id: uploads that a closed page left incomplete; null if there are none. */
  interrupted: ReadonlyMap<number, Interrupted | null>
}

let current: Uploads = {
  version: 0,
  entries: [],
  isPaused: false,
  trouble: null,
  bytesPerSecond: null,
  events: new Map(),
  interrupted: new Map(),
}
let published = current
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const renderIntervalMs = 150

export const getUploads = (): Uploads => current

/** Notifies the listeners after 150 ms at the latest. Call it without arguments after an entry was mutated. */
export function updateUploads(changes: Partial<Uploads> = {}): void {
  current = { ...current, ...changes, version: current.version + 1 }
  if (timer === undefined) timer = setTimeout(notifyListeners, renderIntervalMs)
}

function notifyListeners(): void {
  timer = undefined
  published = current
  for (const listener of listeners) listener()
}

export function onUploads(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUploads = (): Uploads => useSyncExternalStore(onUploads, () => published)

/** Rerenders only when the interrupted uploads of the event change, not with the progress of uploads. */
export const useInterrupted = (eventId: number): Interrupted | null =>
  useSyncExternalStore(onUploads, () => published.interrupted.get(eventId) ?? null)
