import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { PartedFiles } from './parted-files.ts'

/** Thrown by reads of a key that is not there. */
export class FileMissing extends Error {
  constructor(key: string) {
    super(`No file under ${key}`)
    this.name = 'FileMissing'
  }
}

/** Thrown when less than 1 GB or 2 % would stay free. */
export class StorageFull extends Error {}

/** Thrown when the storage cannot be reached, or does not answer in time. What was asked may have been done, or not. */
export class StorageUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageUnavailable'
  }
}

/** The storage answers and says no: it knows no such bucket, or does not let this service in. */
export class StorageRefused extends StorageUnavailable {}

/** A disk, `reservedBytes` of which stay free. */
export type DiskSpace = { freeBytes: number; totalBytes: number; reservedBytes: number }

/**
 * `isEndless`: what is stored lies where room has no end, and the disk holds only what is on its way in or is being
 * worked at.
 */
export type Space = DiskSpace & { isEndless: boolean }

export type StoredFile = { key: string; sizeBytes: number; modifiedAt: number }

/** How a file is to be told of where the storage itself sends it. */
export type DownloadAs = { sizeBytes: number; contentType: string; contentDisposition: string }

/** Inclusive byte positions, as HTTP counts them. */
export type ByteRange = { start: number; end: number }

/**
 * Bytes in order, into memory of the caller's: unlike a stream it takes none of its own for what passes. One `read` at
 * a time; a `close` ends the one under way, and closing twice is no error.
 */
export type ByteReader = {
  /** Fills the buffer from its start, at least in part; answers how many bytes, 0 at the end. */
  read: (buffer: Buffer) => Promise<number>
  close: () => Promise<void>
}

/**
 * Where media lives. Keys are made by the service alone (`events/7/originals/…`); no part of one comes from a client.
 * Files arrive by way of a staged file on the local disk, so that nothing half-written ever stands under a key.
 */
export type Storage = {
  /** A fresh path on the local disk for one file; it is this process's alone until committed or discarded. */
  stage: () => Promise<string>
  /** Of what has been committed, nothing is left to discard. */
  discard: (stagedPath: string) => Promise<void>
  /** Makes what was written by a staged file's handle durable, without taking all of the disk's turns. */
  sync: (staged: FileHandle) => Promise<void>
  /** Moves synced files under their keys, all durable when it resolves. On a disk nothing is copied. */
  commit: (files: Array<{ stagedPath: string; key: string }>) => Promise<void>
  /** A small file of known size; shorter when the stored one is. Throws FileMissing. */
  readWhole: (key: string, sizeBytes: number) => Promise<Buffer>
  /**
   * Opens before it resolves, so that a missing file is an error and not a broken stream. Throws FileMissing, also for
   * a file that is not of `sizeBytes`, where they are given.
   */
  openStream: (key: string, range?: ByteRange, sizeBytes?: number) => Promise<Readable>
  /** As `openStream`, for bytes that many of are to be sent: see ByteReader. Throws FileMissing. */
  openReader: (key: string, range: ByteRange, sizeBytes?: number) => Promise<ByteReader>
  /**
   * Lends a file as a path on the local disk, to be read while `use` runs: the stored file itself on a disk, a copy
   * elsewhere. Throws FileMissing, also for a file that is not of `sizeBytes`, where they are given.
   */
  withLocalFile: <T>(key: string, use: (path: string) => Promise<T>, sizeBytes?: number) => Promise<T>
  /** A missing one is no error. */
  remove: (key: string) => Promise<void>
  /**
   * An address of the storage's own at which this file, whole or in part, can be had by GET for a minute, by whoever
   * knows it. null: there is none, and the service sends the file itself. Throws FileMissing, also for a file that is
   * not of its size.
   */
  downloadUrl: (key: string, as: DownloadAs) => Promise<string | null>
  /** Files on their way in, in parts. */
  parted: PartedFiles
  /** Removes everything under a prefix such as `events/7`, what is on its way in included. */
  removePrefix: (prefix: string) => Promise<void>
  /** The next segments under a prefix that has folders, empty ones and those of files on their way in included. */
  listFolders: (prefix: string) => Promise<string[]>
  /**
   * Removes the folders under a prefix, and its own, that hold no file; those that do stay, with all that is in them.
   */
  removeEmptyFolders: (prefix: string) => Promise<void>
  /** Moves a file to `lost+found`, under its key. A missing one is no error. */
  setAside: (key: string) => Promise<void>
  /** Moves a file that was set aside back under its key. Throws FileMissing. */
  bringBack: (key: string) => Promise<void>
  list: (prefix: string) => AsyncIterable<StoredFile>
  /** Files set aside more than `days` ago are deleted; answers how many are left. */
  pruneSetAside: (days: number) => Promise<number>
  /** Deletes what dead processes have left in staging; answers how many files. */
  clearLeftovers: () => Promise<number>
  /** Throws StorageFull when `bytes` more would not fit. */
  ensureSpaceFor: (bytes: number) => Promise<void>
  /** What was set aside and not yet deleted, under its key. */
  listSetAside: () => AsyncIterable<StoredFile>
  /** How much room there is on the disk, for the operator to know. */
  space: () => Promise<Space>
  /** Throws when the storage cannot be reached, or cannot be written to. */
  check: () => Promise<void>
  /** Lets go of what it keeps open. */
  close: () => Promise<void>
}
