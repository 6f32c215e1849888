import { useSyncExternalStore } from 'react'
import type { Interrupted } from './kept-queue.ts'
import type { UploadEntry } from './upload-entries.ts'

/** All that is being uploaded from this page, into whichever events. The entries change in place: `version` tells. */
export type Uploads = {
  version: number
  entries: readonly UploadEntry[]
  isPaused: boolean
  /** What everything waits for. */
  trouble: 'line' | 'service' | null
  bytesPerSecond: number | null
  /** By event: its name, files that were chosen again, files of the system that were passed over. */
  events: ReadonlyMap<number, { name: string; repeated: number; passedOver: number }>
  /** By event: what an earlier page did not bring to its end; null where that has been asked and nothing is. */
  interrupted: ReadonlyMap<number, Interrupted | null>
}

let now: Uploads = {
  version: 0,
  entries: [],
  isPaused: false,
  trouble: null,
  bytesPerSecond: null,
  events: new Map(),
  interrupted: new Map(),
}
let told = now
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
/** So often the page is drawn anew: more nobody could read. */
const drawnEveryMs = 150

export const uploads = (): Uploads => now

/** Without changes: something within has changed. */
export function noteUploads(changes: Partial<Uploads> = {}): void {
  now = { ...now, ...changes, version: now.version + 1 }
  if (timer === undefined) timer = setTimeout(tellAll, drawnEveryMs)
}

function tellAll(): void {
  timer = undefined
  told = now
  for (const listener of listeners) listener()
}

export function onUploads(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUploads = (): Uploads => useSyncExternalStore(onUploads, () => told)
