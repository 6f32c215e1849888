import type { Logger } from 'pino'
import type { Changes } from '../background/changes.ts'
import type { Histogram } from '../background/histogram.ts'
import { ConfigProblems } from '../config.ts'
import type { Database } from './tables.ts'

export type OpenDatabase = {
  kind: 'sqlite' | 'postgres'
  db: Database
  /** Id of this process among those that use the database; always `only` on SQLite. */
  node: string
  /** How long the commits of this process took. */
  commits: Histogram
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

/** Throws ConfigProblems when the database has migrations that this version of Proofroom does not know. */
export function assertSchemaVersion(done: readonly string[], known: readonly string[]): void {
  const unknown = done.filter((name) => !known.includes(name)).sort()
  if (unknown.length === 0) return
  throw new ConfigProblems([
    `The database belongs to a newer version of Proofroom (${unknown.at(-1)}). Start that version, or restore a backup made by this version`,
  ])
}
