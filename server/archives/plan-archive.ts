import { type ArchiveEntry, centralRecordBytes, endRecordsBytes, localHeaderBytes } from './zip-format.ts'

/**
 * The layout of an archive, in bytes from its start, computed without reading files. Equal entries in equal order give
 * equal bytes. No library is used, because archives must be sent by range without being built.
 */
export type ArchivePlan<E extends ArchiveEntry = ArchiveEntry> = {
  entries: readonly E[]
  sizeBytes: number
  /** The start of each local header; the last item is the start of the central directory. */
  fileStarts: Float64Array
  /** The start of each central directory record; the last item is the end of the directory. */
  recordStarts: Float64Array
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
  const sizeBytes = position + endRecordsBytes(locateDirectory({ entries, fileStarts, recordStarts }))
  return { entries, sizeBytes, fileStarts, recordStarts }
}

/** Returns where the central directory lies, in bytes. */
export function locateDirectory({ entries, fileStarts, recordStarts }: Omit<ArchivePlan, 'sizeBytes'>) {
  const start = fileStarts[entries.length] ?? 0
  return { entryCount: entries.length, start, sizeBytes: (recordStarts[entries.length] ?? 0) - start }
}
