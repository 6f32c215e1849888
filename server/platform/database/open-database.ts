import type { FastifyBaseLogger } from 'fastify'
import type { Migration } from 'kysely/migration'
import type { Changes } from '../background/changes.ts'
import type { Database } from './tables.ts'

export type OpenDatabase = {
  kind: 'sqlite' | 'postgres'
  db: Database
  /** Which of the processes on the database this one is. */
  node: string
  /** Tells `changes`, until it is closed, within 500 ms of what other processes have changed. */
  follow: (changes: Changes, log: FastifyBaseLogger) => void
  /**
   * Does a work unless another node is at the one of that name, or this one already; whether it was done. Throws
   * DatabaseUnavailable. On SQLite there are no other nodes.
   */
  alone: (name: string, work: () => Promise<void>) => Promise<boolean>
  close: () => Promise<void>
}

/** A file on this machine, or the address of a PostgreSQL database. */
export type DatabasePlace = { file: string } | { url: string }

/** Opens the database and brings it to the newest migration; only the driver that is needed is loaded. */
export async function openDatabase(place: DatabasePlace, migrations: Record<string, Migration>): Promise<OpenDatabase> {
  if ('url' in place) {
    const { openPostgresDatabase } = await import('./open-postgres.ts')
    return openPostgresDatabase(place.url, migrations)
  }
  const { openSqliteDatabase } = await import('./open-sqlite.ts')
  return openSqliteDatabase(place.file, migrations)
}
