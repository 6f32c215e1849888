import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { MultipartFiles, StoredFile } from './multipart-files.ts'

export class FileMissing extends Error {
  constructor(key: string) {
    super(`No file under ${key}`)
    this.name = 'FileMissing'
  }
}

/** Less than 1 GB or 2 % would stay free. */
export class StorageFull extends Error {}

/** The storage cannot be reached or does not respond in time. The request may have taken effect. */
export class StorageUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageUnavailable'
  }
}

/** The bucket does not exist, or the store denies access. */
export class StorageRejected extends StorageUnavailable {}

export type DiskSpace = { freeBytes: number; totalBytes: number; reservedBytes: number }

/** `isUnlimited`: the storage has no size limit, and the disk only contains incoming files and files in use. */
export type Space = DiskSpace & { isUnlimited: boolean }

export type DownloadHeaders = { sizeBytes: number; contentType: string; contentDisposition: string }

/** Inclusive byte positions, as in HTTP. */
export type ByteRange = { start: number; end: number }

/**
 * Reads into the caller's memory; unlike a stream it allocates none. Only one `read` may run at a time. `close` ends a
 * running read, and can be called twice.
 */
export type ByteReader = {
  /** Fills the start of the buffer, at least in part. Returns the number of bytes, 0 at the end. */
  read: (buffer: Buffer) => Promise<number>
  close: () => Promise<void>
}

/**
 * Only the service creates keys (`events/7/originals/…`); no part of one comes from a client. Files are staged on the
 * local disk first, so that no incomplete file exists under a key.
 */
export type Storage = {
  /** Returns a new path on the local disk. Only this process uses it, until it is committed or discarded. */
  stage: () => Promise<string>
  /** Does nothing after a commit. */
  discard: (stagedPath: string) => Promise<void>
  /** Makes a staged file durable. Limits how many syncs run at once. */
  sync: (staged: FileHandle) => Promise<void>
  /** Moves synced files to their keys, all durable when it resolves. On a disk nothing is copied. */
  commit: (files: Array<{ stagedPath: string; key: string }>) => Promise<void>
  /** Reads a small file of known size; returns fewer bytes when the stored file is shorter. Throws FileMissing. */
  readSmallFile: (key: string, sizeBytes: number) => Promise<Buffer>
  /** Opens the file before it resolves. Throws FileMissing, also for a file that does not have `sizeBytes`. */
  openStream: (key: string, range?: ByteRange, sizeBytes?: number) => Promise<Readable>
  /** Like `openStream`, for large amounts of bytes: see ByteReader. Throws FileMissing. */
  openReader: (key: string, range: ByteRange, sizeBytes?: number) => Promise<ByteReader>
  /**
   * Passes a local path to `use` for reading: the stored file itself on a disk, otherwise a copy. Throws FileMissing,
   * also for a file that does not have `sizeBytes`.
   */
  withLocalFile: <T>(key: string, use: (path: string) => Promise<T>, sizeBytes?: number) => Promise<T>
  /** A missing file is no error. */
  remove: (key: string) => Promise<void>
  /**
   * Returns a URL at which everybody can read this file for one minute, or null when the service must send it itself.
   * Throws FileMissing, also for a file of another size.
   */
  downloadUrl: (key: string, as: DownloadHeaders) => Promise<string | null>
  multipart: MultipartFiles
  /** Removes everything below a prefix such as `events/7`, including incoming files. */
  removePrefix: (prefix: string) => Promise<void>
  /** Includes empty folders and those of incoming files. */
  listFolders: (prefix: string) => Promise<string[]>
  /** Removes the folders at and below a prefix that contain no file. */
  removeEmptyFolders: (prefix: string) => Promise<void>
  /** Moves a file to `lost+found`. A missing file is no error. */
  quarantine: (key: string) => Promise<void>
  /** Moves a quarantined file back to its key. Throws FileMissing. */
  restoreQuarantined: (key: string) => Promise<void>
  list: (prefix: string) => AsyncIterable<StoredFile>
  /** Deletes files that were quarantined more than `days` ago. Returns how many are left. */
  pruneQuarantine: (days: number) => Promise<number>
  /** Deletes staged files of ended processes. Returns how many. */
  clearLeftovers: () => Promise<number>
  /** Throws StorageFull. */
  ensureSpaceFor: (bytes: number) => Promise<void>
  listQuarantined: () => AsyncIterable<StoredFile>
  space: () => Promise<Space>
  check: () => Promise<void>
  close: () => Promise<void>
}
