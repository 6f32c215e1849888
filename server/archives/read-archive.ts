import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'
import { type ArchivePart, iterateParts } from './archive-parts.ts'
import type { ArchivePlan } from './plan-archive.ts'
import type { ArchiveEntry } from './zip-format.ts'

export type OpenData<E extends ArchiveEntry> = (entry: E, range: ByteRange) => Promise<ByteReader>

/** The next file is opened when at most this much of the current file is left. */
const prefetchBytes = 2 ** 21

/**
 * Reads a range of an archive, with at most two files open. `read` throws when a file cannot be read or is too short;
 * the calling code must then close the connection, so that the client does not take the archive for complete.
 */
export const readArchive = <E extends ArchiveEntry>(
  plan: ArchivePlan<E>,
  range: ByteRange,
  open: OpenData<E>,
): ByteReader => new ArchiveReader(iterateParts(plan, range), open)

type Step<E extends ArchiveEntry> = {
  head: Buffer
  data: ArchivePart<E>['data']
  leftBytes: number
  file: Promise<ByteReader> | null
}

class ArchiveReader<E extends ArchiveEntry> implements ByteReader {
  readonly #parts: Iterator<ArchivePart<E>>
  readonly #open: OpenData<E>
  readonly #files = new Set<Promise<ByteReader>>()
  #step: Step<E> | null = null
  #next: Step<E> | null = null
  #isClosed = false

  constructor(parts: Iterator<ArchivePart<E>>, open: OpenData<E>) {
    this.#parts = parts
    this.#open = open
  }

  /** Fills the buffer completely, except at the end of the range. */
  async read(buffer: Buffer): Promise<number> {
    let filled = 0
    while (filled < buffer.length) {
      this.#step ??= this.#nextStep()
      if (!this.#step) break
      filled += await this.#fill(buffer.subarray(filled), this.#step)
      if (this.#step.head.length === 0 && this.#step.leftBytes === 0) this.#step = null
    }
    return filled
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#files].map(async (file) => (await file).close()))
  }

  async #fill(buffer: Buffer, step: Step<E>): Promise<number> {
    if (step.head.length > 0) {
      const length = step.head.copy(buffer)
      step.head = step.head.subarray(length)
      return length
    }
    const opening = this.#openFile(step)
    if (!opening) return 0
    if (step.leftBytes <= prefetchBytes) this.#prefetch()
    const file = await opening
    const length = await file.read(buffer.subarray(0, step.leftBytes))
    if (length === 0) throw new Error('A file of an archive ended early')
    step.leftBytes -= length
    if (step.leftBytes === 0) {
      await file.close()
      this.#files.delete(opening)
    }
    return length
  }

  #prefetch(): void {
    if (this.#next) return
    this.#next = this.#nextStep()
    if (this.#next) this.#openFile(this.#next)
  }

  #nextStep(): Step<E> | null {
    const prefetched = this.#next
    this.#next = null
    if (prefetched) return prefetched
    const { value, done } = this.#parts.next()
    if (done) return null
    const { head, data } = value
    return { head, data, leftBytes: data ? data.range.end - data.range.start + 1 : 0, file: null }
  }

  #openFile(step: Step<E>): Promise<ByteReader> | null {
    if (!step.data || step.file) return step.file
    if (this.#isClosed) throw new Error('The archive has been closed')
    const opening = this.#open(step.data.entry, step.data.range)
    this.#files.add(opening)
    // `#fill` throws this error later. Until then it must not count as an unhandled rejection.
    opening.catch(() => this.#files.delete(opening))
    step.file = opening
    return opening
  }
}
