import type { Readable } from 'node:stream'

/** Thrown by reads of a key that is not there. */
export class FileMissing extends Error {
  constructor(key: string) {
    super(`No file under ${key}`)
    this.name = 'FileMissing'
  }
}

/** Thrown when less than 1 GB or 2 % would stay free (decisions §2). */
export class StorageFull extends Error {}

export type StoredFile = { key: string; sizeBytes: number; modifiedAt: number }

/** Inclusive byte positions, as HTTP counts them. */
export type ByteRange = { start: number; end: number }

/**
 * Where media lives. Keys are made by the service alone (`events/7/originals/…`); no part of one comes from a client.
 * Files arrive by way of a staged file on the local disk, so that nothing half-written ever stands under a key.
 */
export type Storage = {
  /** A fresh path on the local disk for one file; it is this process's alone until committed or discarded. */
  stage: () => Promise<string>
  discard: (stagedPath: string) => Promise<void>
  /** Makes a finished staged file durable; may run while the file is still being judged. */
  sync: (stagedPath: string) => Promise<void>
  /** Moves synced files under their keys, all durable when it resolves. Nothing is copied. */
  commit: (files: Array<{ stagedPath: string; key: string }>) => Promise<void>
  /** A small file of known size; shorter when the stored one is. Throws FileMissing. */
  readWhole: (key: string, sizeBytes: number) => Promise<Buffer>
  /** Opens before it resolves, so that a missing file is an error and not a broken stream. Throws FileMissing. */
  openStream: (key: string, range?: ByteRange) => Promise<Readable>
  remove: (key: string) => Promise<void>
  /** Removes everything under a prefix such as `events/7`. */
  removePrefix: (prefix: string) => Promise<void>
  /** Moves a file to `lost+found`, under its key. A missing one is no error. */
  setAside: (key: string) => Promise<void>
  list: (prefix: string) => AsyncIterable<StoredFile>
  /** Files set aside more than `days` ago are deleted; answers how many are left. */
  pruneSetAside: (days: number) => Promise<number>
  /** Deletes what dead processes have left in staging; answers how many files. */
  clearLeftovers: () => Promise<number>
  /** Throws StorageFull when `bytes` more would not fit. */
  ensureSpaceFor: (bytes: number) => Promise<void>
  /** Throws when the storage cannot be reached. */
  check: () => Promise<void>
}
