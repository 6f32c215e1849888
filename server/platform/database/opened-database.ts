import type { Logger } from 'pino'
import type { Changes } from '../background/changes.ts'
import type { Histogram } from '../background/histogram.ts'
import { ConfigProblems } from '../configuration/config.ts'
import type { DiskReserve } from './disk-reserve.ts'
import type { Database } from './tables.ts'

export type OpenDatabase = {
  kind: 'sqlite' | 'postgres'
  db: Database
  /** Id of this process among those that use the database; always `only` on SQLite. */
  node: string
  /** How long the commits of this process took. */
  commits: Histogram
  /** null on PostgreSQL, whose disk is not known. */
  reserve: DiskReserve | null
  /**
   * Takes space for a write of a guest. Throws StorageFull when only what is reserved from guests is left. Does nothing
   * on PostgreSQL.
   */
  ensureSpaceForGuest: () => Promise<void>
  /** Notifies `changes` about later writes of other processes until the database is closed. */
  follow: (changes: Changes, log: Logger) => void
  /**
   * On PostgreSQL, runs `work` unless a node already runs work of that name, and returns whether it ran. On SQLite it
   * always runs. Throws DatabaseUnavailable.
   */
  runExclusively: (name: string, work: () => Promise<void>) => Promise<boolean>
  close: () => Promise<void>
}

/** The database cannot be reached or does not respond in time. Except for OutcomeUnknown, nothing was written. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** Thrown when the connection is lost during a write, so that it is unknown whether the write was committed. */
export class OutcomeUnknown extends DatabaseUnavailable {}

/** Some commits between two releases applied 0037 before 0034 and 0036, which are independent of it. */
export const migratorOptions = { allowUnorderedMigrations: true }

export type SchemaOptions = {
  /** False: throws SchemaBehind for a database of an older version instead of migrating it. */
  migrates?: boolean
  /** False: throws DatabaseEmpty for a database without tables instead of creating them. */
  creates?: boolean
}

export type OpenOptions = SchemaOptions & {
  /** The size of the reserve on SQLite. The default is 64 MiB, and at most 2 % of the disk. 0: no reserve. */
  reserveBytes?: number
}

export class DatabaseEmpty extends Error {}

/** The database lacks migrations, and only the service applies them. */
export class SchemaBehind extends Error {
  constructor(missing: number) {
    super(
      `The database is of an older version (migrations missing: ${missing}). A backup to go back to must be made by the version that the service ran until now. For all else, start the service first: it migrates the database.`,
    )
  }
}

/**
 * Throws ConfigProblems when the database has migrations that this version of Proofroom does not know, and the errors of
 * `SchemaOptions`.
 */
export function assertSchemaVersion(
  done: readonly string[],
  known: readonly string[],
  { migrates = true, creates = true }: SchemaOptions = {},
): void {
  const unknown = done.filter((name) => !known.includes(name)).sort()
  if (unknown.length > 0) {
    throw new ConfigProblems([
      `The database belongs to a newer version of Proofroom (${unknown.at(-1)}). Start that version, or restore a backup made by this version`,
    ])
  }
  if (!creates && done.length === 0) throw new DatabaseEmpty('The database has no tables')
  if (!migrates && done.length > 0 && done.length < known.length) throw new SchemaBehind(known.length - done.length)
}
