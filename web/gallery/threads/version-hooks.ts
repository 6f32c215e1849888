import { signal } from '@preact/signals'
import type { GuestThread } from '../../../contract/gallery/threads.ts'

/** What the part for events that keep versions adds to threads. */
export type VersionHooks = {
  /** Returns whether the picture that is shown has the pin or box. */
  isDrawn: (thread: GuestThread) => boolean
  /** Returns from which earlier version the thread is, or null. */
  describeOrigin: (thread: GuestThread) => string | null
}

/** Null if the event keeps no versions, and until the part is loaded. */
export const versionHooks = signal<VersionHooks | null>(null)
