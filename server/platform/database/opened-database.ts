import type { Changes } from '../background/changes.ts'
import type { Log } from '../log.ts'
import type { Database } from './tables.ts'

export type OpenDatabase = {
  kind: 'sqlite' | 'postgres'
  db: Database
  /** Id of this process among those that use the database. */
  node: string
  /** Notifies `changes` about writes of other processes within 500 ms, until the database is closed. */
  follow: (changes: Changes, log: Log) => void
  /**
   * Runs `work` unless this or another node already runs work of that name. Returns whether it ran; throws
   * DatabaseUnavailable. SQLite has no other nodes, so there it always runs.
   */
  runExclusively: (name: string, work: () => Promise<void>) => Promise<boolean>
  close: () => Promise<void>
}
