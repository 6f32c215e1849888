import type { Readable } from 'node:stream'
import type { BlockDigest } from './content-digest.ts'
import type { StoredFile } from './storage.ts'

/** One part of a file. All but the last are of one size, so that the index tells where it stands. */
export type FilePart = { index: number; offset: number; sizeBytes: number }

/** Thrown for a source that is longer than its part, or that ended or broke off ahead of its end. */
export class WrongPartSize extends Error {
  readonly isTooLong: boolean
  constructor({ isTooLong }: { isTooLong: boolean }) {
    super(isTooLong ? 'The part is too long' : 'The part is too short')
    this.isTooLong = isTooLong
  }
}

/** `isStill` asks whether it is this that stands there now: another process may have written the same part meanwhile. */
export type WrittenPart = { digest: BlockDigest; isStill: () => Promise<boolean> }

/** What the file must be once it is whole. */
export type WholeFile = { sizeBytes: number; contentHash?: string }

/**
 * Files that arrive in parts: in any order, several at once, over days and restarts. On a disk every part stands at its
 * offset of one file, beside the stored files and never among them; in object storage it is a part of a multipart upload,
 * and may come by way of any process. Each is known by a handle, which is this storage's own.
 */
export type PartedFiles = {
  /** More parts than that no file can have. */
  maxParts: number
  /**
   * Answers the handle of a new one. `name` is a key that nothing else has. `settledKey` is where its user means to
   * commit it: object storage has the file stand there as soon as it is whole, so that committing copies nothing.
   */
  begin: (name: string, settledKey: string) => Promise<string>
  /**
   * Writes one part, whatever stood there, and hashes it; tells whenever bytes have come, whose memory it takes. Durable
   * when it resolves. When it rejects, nothing is known of this part and every other one is as it was; nothing more is
   * written to it. No process writes a part twice at a time. The source stays the caller's: what it has left is not read.
   * Throws WrongPartSize, and FileMissing where the storage knows no such file any more.
   */
  write: (handle: string, part: FilePart, source: Readable, onBytes?: () => void) => Promise<WrittenPart>
  /**
   * Lends the whole file as a staged path, to be read and to be committed as such; nothing is copied when that is done
   * under `settledKey`, where one is told. Until it is removed it can be lent again, also when `use` has failed behind its
   * commit or the process has died there; while it is lent, `Storage.remove` does not take it away from there. No part is
   * written while it is lent, nor afterwards. Throws FileMissing, also for a file that is not as `whole` says.
   */
  lend: <T>(
    handle: string,
    whole: WholeFile,
    use: (stagedPath: string, settledKey: string | null) => Promise<T>,
  ) => Promise<T>
  /** Removes what has come in. What it was committed as stays. A missing one is no error. */
  remove: (handle: string) => Promise<void>
  /** Removes also a file that is whole and stands under its settled key: nothing was made of it, and nothing will be. */
  discard: (handle: string) => Promise<void>
  /** By their handles, as keys. `modifiedAt`: when bytes of it came last. */
  list: (prefix: string) => AsyncIterable<StoredFile>
}
