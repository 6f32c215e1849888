import type { ErasedGuest } from '../../contract/gallery/guests.ts'
import type { Database, Tables, Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/**
 * What the features register, so that modules below them can merge and erase guests, delete photos, and find all stored
 * files, without importing a feature. `server/registries.ts` has the lists.
 */
export type Registries = {
  guestBelongings: readonly GuestBelongings[]
  photoBelongings: readonly PhotoBelongings[]
  storedFiles: readonly StoredFiles[]
  markLock: MarkLock
}

/** A mark of a guest that is about to change. `picks`: how many photos the guest has picked more after it. */
export type MarkChange = { eventId: number; guestId: string; picks: -1 | 0 | 1 }

/** Decides whether marks of guests may change in an event with a package. Its functions throw the error of the caller. */
export type MarkLock = {
  assertChange: (tx: Tx, change: MarkChange) => Promise<void>
  assertMerge: (tx: Tx, merge: GuestMerge) => Promise<void>
}

export type GuestMerge = { eventId: number; from: string; into: string }

/** `guestIds`: the guest, and all guests that were merged into it. */
export type GuestErasure = { eventId: number; guestIds: readonly [string, ...string[]]; now: number }

/** `afterCommit` must not throw. */
export type Erasure = { counts: Partial<ErasedGuest>; afterCommit?: (ctx: PlatformContext) => Promise<void> | void }

/** Rows that belong to guests. All functions run in a transaction that has locked the event. */
export type GuestBelongings = {
  /** Tables with guests. */
  tables: ReadonlyArray<keyof Tables>
  /** Those of `tables` that may have very many rows of an event. Its deletion deletes them in batches, by their `id`. */
  largeTables?: readonly LargeTable[]
  /** Returns whether a guest has given anything. Not needed for rows that guests do not give, such as links. */
  hasRows?: (tx: Tx, eventId: number, guestId: string) => Promise<boolean>
  /** Moves the rows of `from` to `into`. Not needed for rows that name the guest only for a short time. */
  merge?: (tx: Tx, merge: GuestMerge, now: number) => Promise<void>
  /** Deletes the rows, or removes what is about the guest from them. */
  erase: (tx: Tx, erasure: GuestErasure) => Promise<Erasure>
}

export type LargeTable = {
  [Table in keyof Tables]: Tables[Table] extends { id: unknown; event_id: number } ? Table : never
}[keyof Tables]

/** Rows about photos that have no foreign key, so that they stay while a photo is in the trash. */
export type PhotoBelongings = {
  tables: ReadonlyArray<keyof Tables>
  /** Photos are deleted for good. */
  deleteFor: (tx: Tx, photoIds: readonly number[], now: number) => Promise<unknown>
}

/** `contentHash`: the hash of `digestOfBlocks`; null if it is unknown. `photoId` is null for a file that belongs to no photo. */
export type StoredFile = { photoId: number | null; key: string; sizeBytes: number; contentHash: string | null }

/** Files of the storage that rows name. */
export type StoredFiles = {
  /** Tables with the names of the files. */
  tables: ReadonlyArray<keyof Tables>
  /** False for files that can be made again. Backups leave them out. */
  isInBackups: boolean
  /** Returns the keys of the files of an event. */
  keysOf: (db: Database, eventId: number) => Promise<string[]>
  /** Yields the files in batches and in a stable order. */
  list: (db: Database) => AsyncGenerator<StoredFile[], void>
  count: (db: Database) => Promise<number>
  /** Returns whether a row still names a file that `list` has yielded. */
  isNamed: (db: Database, file: StoredFile) => Promise<boolean>
}
