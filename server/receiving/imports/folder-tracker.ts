import { minutes, seconds } from '../../platform/time/clock.ts'
import type { WaitingFile } from './import-source.ts'

/** `dueAt`: the time of the next check, in milliseconds of `performance.now()`. */
type TrackedFile = { sizeBytes: number; modifiedAt: number; dueAt: number; isUnreadable: boolean }

/** Many programs create an empty file first and fill it later. */
const emptyFileWaitMs = minutes(10)
const unreadableRetryMs = seconds(30)
const failedRetryMs = minutes(5)

/**
 * A file is due when its size and modification time have not changed for `settleMs`. An empty file must be unchanged
 * for ten minutes, unless `settleMs` is 0.
 */
export class FolderTracker {
  readonly #settleMs: number
  #previous = new Map<string, TrackedFile>()
  #files = new Map<string, TrackedFile>()

  constructor(settleMs: number) {
    this.#settleMs = settleMs
  }

  beginScan(): void {
    this.#previous = this.#files
    this.#files = new Map()
  }

  /** Records the file and returns whether to process it now. */
  isDue({ digest, sizeBytes, modifiedAt }: WaitingFile): boolean {
    const now = performance.now()
    const previous = this.#previous.get(digest)
    const isUnchangedFile = previous?.sizeBytes === sizeBytes && previous.modifiedAt === modifiedAt
    const waitMs = sizeBytes === 0 && this.#settleMs > 0 ? emptyFileWaitMs : this.#settleMs
    const entry = isUnchangedFile ? previous : { sizeBytes, modifiedAt, dueAt: now + waitMs, isUnreadable: false }
    this.#files.set(digest, entry)
    return entry.dueAt <= now
  }

  existing(): ReadonlySet<string> {
    return new Set(this.#files.keys())
  }

  countUnreadable(): number {
    return [...this.#files.values()].filter(({ isUnreadable }) => isUnreadable).length
  }

  ignoreUntilChanged({ digest }: WaitingFile): void {
    this.#change(digest, { dueAt: Number.POSITIVE_INFINITY, isUnreadable: false })
  }

  postpone({ digest }: WaitingFile, { isUnreadable }: { isUnreadable: boolean }): void {
    const waitMs = isUnreadable ? unreadableRetryMs : failedRetryMs
    this.#change(digest, { dueAt: performance.now() + waitMs, isUnreadable })
  }

  /** The next scan treats the file as new. */
  forget({ digest }: WaitingFile): void {
    this.#files.delete(digest)
  }

  #change(digest: string, change: Partial<TrackedFile>): void {
    const entry = this.#files.get(digest)
    if (entry) Object.assign(entry, change)
  }
}
