import type { ByteRange } from '../platform/storage/storage.ts'
import {
  type ArchiveEntry,
  centralRecord,
  centralRecordBytes,
  endRecords,
  endRecordsBytes,
  localHeader,
  localHeaderBytes,
} from './zip-format.ts'

/**
 * Where everything of an archive stands, in bytes from its start: arithmetic alone, no file is read for it. The same
 * entries in the same order give the same bytes.
 */
export type ArchivePlan<E extends ArchiveEntry = ArchiveEntry> = {
  entries: readonly E[]
  sizeBytes: number
  /** Of each entry's local header; last, where the directory begins. */
  fileStarts: Float64Array
  /** Of each entry's record in the directory; last, where the directory ends. */
  recordStarts: Float64Array
}

/** A piece of an archive: bytes made here, then part of the data of one entry. */
export type ArchivePart<E extends ArchiveEntry = ArchiveEntry> = {
  head: Buffer
  data: { entry: E; range: ByteRange } | null
}

export function planArchive<E extends ArchiveEntry>(entries: readonly E[]): ArchivePlan<E> {
  const fileStarts = new Float64Array(entries.length + 1)
  const recordStarts = new Float64Array(entries.length + 1)
  let position = 0
  for (const [index, entry] of entries.entries()) {
    fileStarts[index] = position
    position += localHeaderBytes(entry) + entry.sizeBytes
  }
  fileStarts[entries.length] = position
  for (const [index, entry] of entries.entries()) {
    recordStarts[index] = position
    position += centralRecordBytes(entry, fileStarts[index] ?? 0)
  }
  recordStarts[entries.length] = position
  const sizeBytes = position + endRecordsBytes(directoryPlace({ entries, fileStarts, recordStarts }))
  return { entries, sizeBytes, fileStarts, recordStarts }
}

/** The bytes of a range in order; what lies before it costs a binary search. */
export function* partsOf<E extends ArchiveEntry>(plan: ArchivePlan<E>, range: ByteRange): Generator<ArchivePart<E>> {
  yield* fileParts(plan, range)
  yield* directoryParts(plan, range)
}

function* fileParts<E extends ArchiveEntry>(plan: ArchivePlan<E>, range: ByteRange): Generator<ArchivePart<E>> {
  const { entries, fileStarts } = plan
  for (let index = indexAt(fileStarts, range.start); index < entries.length; index++) {
    const fileStart = fileStarts[index] ?? 0
    const entry = entries[index]
    if (!entry || fileStart > range.end) return
    const header = localHeader(entry)
    const dataStart = fileStart + header.length
    const start = Math.max(range.start - dataStart, 0)
    const end = Math.min(range.end - dataStart, entry.sizeBytes - 1)
    yield { head: within(header, fileStart, range), data: start <= end ? { entry, range: { start, end } } : null }
  }
}

const directoryPieceBytes = 65_536

function* directoryParts<E extends ArchiveEntry>(plan: ArchivePlan<E>, range: ByteRange): Generator<ArchivePart<E>> {
  const { entries, fileStarts, recordStarts } = plan
  let index = indexAt(recordStarts, range.start)
  while (index < entries.length && (recordStarts[index] ?? 0) <= range.end) {
    const pieceStart = recordStarts[index] ?? 0
    const records: Buffer[] = []
    for (let bytes = 0; bytes < directoryPieceBytes && index < entries.length; index++) {
      const entry = entries[index]
      if (!entry) return
      const record = centralRecord(entry, fileStarts[index] ?? 0)
      bytes += record.length
      records.push(record)
    }
    yield { head: within(Buffer.concat(records), pieceStart, range), data: null }
  }
  yield { head: within(endRecords(directoryPlace(plan)), recordStarts[entries.length] ?? 0, range), data: null }
}

function directoryPlace({ entries, fileStarts, recordStarts }: Omit<ArchivePlan, 'sizeBytes'>) {
  const start = fileStarts[entries.length] ?? 0
  return { entryCount: entries.length, start, sizeBytes: (recordStarts[entries.length] ?? 0) - start }
}

/** What of `bytes`, which stand at `at`, lies in the range. */
const within = (bytes: Buffer, at: number, { start, end }: ByteRange): Buffer =>
  bytes.subarray(Math.max(start - at, 0), Math.max(end + 1 - at, 0))

/** Of rising starts, the index of the last one that is not behind the position; 0 when all are. */
function indexAt(starts: Float64Array, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}
