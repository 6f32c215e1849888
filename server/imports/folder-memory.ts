import { minutes, seconds } from '../platform/clock.ts'
import type { WaitingFile } from './import-source.ts'

/** `dueAt`: the time of the next check, in milliseconds of `performance.now()`. */
type Remembered = { sizeBytes: number; modifiedAt: number; dueAt: number; isUnreadable: boolean }

/** Many programs create an empty file first and fill it later. */
const emptyWaitsMs = minutes(10)
const unreadableWaitsMs = seconds(30)
const failedWaitsMs = minutes(5)

/**
 * A file is complete when its size and time have not changed for `settleMs`. Files missing from a scan are forgotten.
 */
export class FolderMemory {
  readonly #settleMs: number
  #former = new Map<string, Remembered>()
  #files = new Map<string, Remembered>()

  constructor(settleMs: number) {
    this.#settleMs = settleMs
  }

  beginScan(): void {
    this.#former = this.#files
    this.#files = new Map()
  }

  /** Records the file and returns whether to process it now. */
  isDue({ digest, sizeBytes, modifiedAt }: WaitingFile): boolean {
    const now = performance.now()
    const former = this.#former.get(digest)
    const isSame = former?.sizeBytes === sizeBytes && former.modifiedAt === modifiedAt
    const waitMs = sizeBytes === 0 && this.#settleMs > 0 ? emptyWaitsMs : this.#settleMs
    const entry = isSame ? former : { sizeBytes, modifiedAt, dueAt: now + waitMs, isUnreadable: false }
    this.#files.set(digest, entry)
    return entry.dueAt <= now
  }

  standing(): ReadonlySet<string> {
    return new Set(this.#files.keys())
  }

  countUnreadable(): number {
    return [...this.#files.values()].filter(({ isUnreadable }) => isUnreadable).length
  }

  /** The file is ignored until it changes. */
  settle({ digest }: WaitingFile): void {
    this.#change(digest, { dueAt: Number.POSITIVE_INFINITY, isUnreadable: false })
  }

  putOff({ digest }: WaitingFile, { isUnreadable }: { isUnreadable: boolean }): void {
    const waitMs = isUnreadable ? unreadableWaitsMs : failedWaitsMs
    this.#change(digest, { dueAt: performance.now() + waitMs, isUnreadable })
  }

  /** The next scan treats the file as new. */
  forget({ digest }: WaitingFile): void {
    this.#files.delete(digest)
  }

  #change(digest: string, change: Partial<Remembered>): void {
    const entry = this.#files.get(digest)
    if (entry) Object.assign(entry, change)
  }
}
