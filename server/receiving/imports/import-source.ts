import type { Readable } from 'node:stream'
import type { LeftOutCause } from './list-waiting-files.ts'

/** Where a file is moved. The reason for a rejection is written to a text file beside the moved file. */
export type Destination = 'imported' | { rejectionReason: string }

/** `kept`: the file cannot be moved. `changed`: the listed file was changed, replaced or deleted. */
export type MoveOutcome = 'moved' | 'kept' | 'changed'

export type WaitingFile = {
  /** Identifies the file in its source. It is computed from the bytes of the path, which may be invalid UTF-8. */
  digest: string
  /** Relative to the import folder, safe for display. */
  path: string
  /** The original name. It is untrusted input. */
  name: string
  /** The first folder below the event's folder, which becomes the category; null if there is none. */
  folder: string | null
  sizeBytes: number
  /** The checksum of the content, if the source has it. */
  crc32?: number
  modifiedAt: number
  /** Reads at most one byte more than the listed size. Throws FileUnreadable. */
  open: (signal: AbortSignal) => Promise<Readable>
  isUnchanged: () => Promise<boolean>
  moveAway: (to: Destination) => Promise<MoveOutcome>
}

/** A source of files to import. It has a folder for each event, named like the slug of the event. */
export type ImportSource = {
  kind: 'folder' | 'bucket' | 'zip'
  /** Whether files appear only when they are complete. If not, the import waits until a file no longer changes. */
  isAtomic: boolean
  listFolders: () => Promise<string[]>
  /** Lists files and links outside of the event folders. They are not imported. A bucket returns none. */
  listStrays: () => Promise<string[]>
  /** Lists files recursively. Folders that cannot be listed, or are nested too deeply, are passed to `onLeftOut` and skipped. */
  listFiles: (folder: string, onLeftOut: (path: string, cause: LeftOutCause) => void) => AsyncIterable<WaitingFile>
  close: () => void
}

export const importWarningKey = ({ kind }: Pick<ImportSource, 'kind'>): string => `imports by ${kind}`

/** The file cannot be read: for example, it was deleted or replaced, or the permission is missing. */
export class FileUnreadable extends Error {
  constructor(options?: ErrorOptions) {
    super('A file that is to be imported cannot be read', options)
    this.name = 'FileUnreadable'
  }
}

export class FileChanged extends Error {}
