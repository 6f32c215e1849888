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

/**
 * Files that arrive in parts: in any order, several at once, over days and restarts. Each is known by a key from its first
 * part on, beside the stored files and never among them. On a disk every part stands at its offset of one file; in object
 * storage it is a part of a multipart upload.
 */
export type PartedFiles = {
  /**
   * Writes one part, whatever stood there, and hashes it; tells whenever bytes have come, whose memory it takes. Durable
   * when it resolves. When it rejects, nothing is known of this part and every other one is as it was; nothing more is
   * written to it. A part is never written twice at a time. The source stays the caller's: what it has left is not read.
   * Throws WrongPartSize.
   */
  write: (key: string, part: FilePart, source: Readable, onBytes?: () => void) => Promise<BlockDigest>
  /**
   * Lends the whole file as a staged path, to be read and to be committed as such; nothing is copied. Until it is removed
   * it can be lent again, also when `use` has failed behind its commit or the process has died there. Throws
   * FileMissing, also for a file that is not of `sizeBytes`.
   */
  lend: <T>(key: string, sizeBytes: number, use: (stagedPath: string) => Promise<T>) => Promise<T>
  /** A missing one is no error. Parts that are being written go with it. */
  remove: (key: string) => Promise<void>
  list: (prefix: string) => AsyncIterable<StoredFile>
}
