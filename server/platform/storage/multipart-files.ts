import type { Readable } from 'node:stream'
import type { BlockDigest } from './content-digest.ts'

export type StoredFile = { key: string; sizeBytes: number; modifiedAt: number }

/** One part of a file. All but the last have the same size. */
export type FilePart = { index: number; offset: number; sizeBytes: number }

/** The source is longer than its part, or ended or failed too early. */
export class WrongPartSize extends Error {
  readonly isTooLong: boolean
  constructor({ isTooLong }: { isTooLong: boolean }) {
    super(isTooLong ? 'The part is too long' : 'The part is too short')
    this.isTooLong = isTooLong
  }
}

/** `isCurrent` returns whether no other process has written the same part since. */
export type WrittenPart = { digest: BlockDigest; isCurrent: () => Promise<boolean> }

export type ExpectedFile = { sizeBytes: number; contentHash?: string }

/**
 * Files that arrive in parts: in any order, concurrently, over days and restarts. On a disk each part is written at its
 * offset in one file; in object storage it is a part of a multipart upload, and any process can write it.
 */
export type MultipartFiles = {
  maxParts: number
  /**
   * Returns the handle of a new file. `name` is a unique key. `finalKey` is the key for the commit: object storage
   * assembles the file there, so that committing copies nothing.
   */
  begin: (name: string, finalKey: string) => Promise<string>
  /**
   * Replaces an earlier version of the part, and owns the received buffers; durable when it resolves. When it rejects,
   * the content of this part is undefined, and nothing more is written. Only one call for a part may run in a process.
   * Throws WrongPartSize, and FileMissing for an unknown handle.
   */
  write: (handle: string, part: FilePart, source: Readable, onBytes?: () => void) => Promise<WrittenPart>
  /**
   * Passes the complete file to `use` as a staged path, to be read and committed. It can be repeated until the file is
   * removed, also after a failed commit; no part may be written any more. Until `use` ends, `Storage.remove` does not
   * remove the file. Throws FileMissing, also for a file that is not like `whole`.
   */
  withLocalFile: <T>(
    handle: string,
    whole: ExpectedFile,
    use: (stagedPath: string, finalKey: string | null) => Promise<T>,
  ) => Promise<T>
  /** Removes the received parts; a committed file stays. A missing file is no error. */
  remove: (handle: string) => Promise<void>
  /** Removes also a complete file under its final key, for a file that is not used. */
  discard: (handle: string) => Promise<void>
  /** Keys are handles. `modifiedAt`: when the last bytes arrived. */
  list: (prefix: string) => AsyncIterable<StoredFile>
}
