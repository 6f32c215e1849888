import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { BlockDigest } from './content-digest.ts'

export class FileMissing extends Error {
  constructor(key: string) {
    super(`No file under ${key}`)
    this.name = 'FileMissing'
  }
}

/** The file is there, but this user may not read it. */
export class FileDenied extends FileMissing {
  override name = 'FileDenied'
}

/** The disk is full, or less than the smaller of 1 GiB and 2 % of the disk would stay free. */
export class StorageFull extends Error {}

/** The storage cannot be reached or does not respond in time. The request may have taken effect. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
}

/** The bucket does not exist, or the store denies access. */
export class StorageRejected extends StorageUnavailable {}

/** `reservedBytes` and `reservedFromGuestsBytes` stay free, whatever operators or guests upload. */
export type DiskSpace = {
  freeBytes: number
  totalBytes: number
  reservedBytes: number
  reservedFromGuestsBytes: number
}

/** Who fills the disk. More stays free when guests do. */
export type SpaceUser = 'operator' | 'guest'

/**
 * Called with the number of bytes before they are written, for each piece of a file. May wait; an error that it throws
 * ends the writing.
 */
export type ReserveSpace = (bytes: number) => Promise<void> | undefined

/** `isUnlimited`: the storage has no size limit, and the local disk contains only incoming files and files in use. */
export type Space = DiskSpace & { isUnlimited: boolean }

export type DownloadHeaders = { sizeBytes: number; contentType: string; contentDisposition: string }

/** Inclusive byte positions, as in HTTP. */
export type ByteRange = { start: number; end: number }

/**
 * Reads into a buffer of the calling function; unlike a stream it allocates no memory. Only one `read` may run at a
 * time. `close` ends a running read, and can be called twice.
 */
export type ByteReader = {
  /** Fills the start of the buffer, at least in part. Returns the number of bytes, 0 at the end. */
  read: (buffer: Buffer) => Promise<number>
  close: () => Promise<void>
}

/**
 * Only the service creates keys (`events/7/originals/…`); no part of a key comes from a client. Files are staged on the
 * local disk first, so that no incomplete file exists under a key.
 */
export type Storage = {
  /** Returns a new path on the local disk. Only this process uses it, until it is committed or discarded. */
  stage: () => Promise<string>
  /** Does nothing after a commit. */
  discard: (stagedPath: string) => Promise<void>
  /** Makes a staged file durable, with a limit on concurrent syncs. Does nothing for object storage. */
  sync: (staged: FileHandle) => Promise<void>
  /** Moves synced files to their keys, all durable when it resolves. On a disk nothing is copied. */
  commit: (files: Array<{ stagedPath: string; key: string }>) => Promise<void>
  /** Reads a small file of known size; returns fewer bytes when the stored file is shorter. Throws FileMissing. */
  readSmallFile: (key: string, sizeBytes: number) => Promise<Buffer>
  /** Opens the file before it resolves. Throws FileMissing for a missing file or another size than `sizeBytes`. */
  openStream: (key: string, range?: ByteRange, sizeBytes?: number) => Promise<Readable>
  /** Like `openStream`, for large amounts of bytes: see ByteReader. Throws FileMissing. */
  openReader: (key: string, range: ByteRange, sizeBytes?: number) => Promise<ByteReader>
  /** `use` may only read the file: on a disk the stored file, else a copy. Throws FileMissing like `openStream`. */
  withLocalFile: <T>(key: string, use: (path: string) => Promise<T>, sizeBytes?: number) => Promise<T>
  /** A missing file is not an error. */
  remove: (key: string) => Promise<void>
  /** Returns a URL for one minute; null when the service must send the file. Throws FileMissing like `openStream`. */
  downloadUrl: (key: string, as: DownloadHeaders) => Promise<string | null>
  multipart: MultipartFiles
  /** Removes everything below a prefix such as `events/7`, including incoming files. */
  removePrefix: (prefix: string) => Promise<void>
  /** Returns the names of the folders in `prefix`, even of those without files or with incoming files only. */
  listFolders: (prefix: string) => Promise<string[]>
  /** Removes the folders at and below a prefix that contain no file. */
  removeEmptyFolders: (prefix: string) => Promise<void>
  /** Moves a file to `lost+found`. A missing file is not an error. */
  quarantine: (key: string) => Promise<void>
  /** Moves a quarantined file back to its key. Throws FileMissing. */
  restoreQuarantined: (key: string) => Promise<void>
  list: (prefix: string) => AsyncIterable<StoredFile>
  /** Deletes files that were quarantined more than `days` ago. Returns how many are left. */
  pruneQuarantine: (days: number) => Promise<number>
  /** Deletes staged files of ended processes. Returns how many files it deleted. */
  clearLeftovers: () => Promise<number>
  /** Takes space for bytes that are about to be written; with `onlyCheck`, takes none. Throws StorageFull. */
  ensureSpaceFor: (bytes: number, user?: SpaceUser, options?: { onlyCheck?: boolean }) => Promise<void>
  listQuarantined: () => AsyncIterable<StoredFile>
  space: () => Promise<Space>
  check: () => Promise<void>
  close: () => Promise<void>
}

/** Throws unless all segments are plain, so that no key leads out of the storage. */
export function assertStorageKey(key: string): string {
  const isPlain = key.split('/').every((segment) => /^[a-z0-9_][a-z0-9_.-]*$/i.test(segment))
  if (!isPlain) throw new Error('A storage key must be made of plain segments')
  return key
}

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
 * Files that arrive in parts: in any order, concurrently, over hours and restarts. On a disk each part is written at
 * its offset in one file; in object storage it is a part of a multipart upload, and any process can write it.
 */
export type MultipartFiles = {
  maxParts: number
  /**
   * Returns the handle of a new file. `name` is a unique key. `finalKey` is the key for the commit: object storage
   * assembles the file there, so that committing copies nothing.
   */
  begin: (name: string, finalKey: string) => Promise<string>
  /**
   * Replaces an earlier version of the part. No other code may use the buffers of `source`. The part is durable when
   * the call resolves; when the call rejects, the content of the part is undefined. Only one call for a part may run in
   * a process. Throws WrongPartSize and StorageFull. For an unknown handle, object storage throws FileMissing, and a
   * disk creates the file.
   */
  write: (handle: string, part: FilePart, source: Readable, reserveSpace?: ReserveSpace) => Promise<WrittenPart>
  /**
   * Passes the complete file to `use` as a staged path, to be read and committed. After that no part may be written.
   * The call can be repeated until the file is removed, even after a failed commit. Until `use` ends, `Storage.remove`
   * does not remove the file. Throws FileMissing for a missing file and for one that does not match `whole`.
   */
  withLocalFile: <T>(
    handle: string,
    whole: ExpectedFile,
    use: (stagedPath: string, finalKey: string | null) => Promise<T>,
  ) => Promise<T>
  /** Removes the received parts; a committed file stays. A missing file is not an error. */
  remove: (handle: string) => Promise<void>
  /** Like `remove`; object storage also deletes a complete file under its final key, which no photo may use. */
  discard: (handle: string) => Promise<void>
  /** The keys of the result are handles, and `modifiedAt` is the time when the last bytes arrived. */
  list: (prefix: string) => AsyncIterable<StoredFile>
}
