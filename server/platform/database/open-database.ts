import type { FastifyBaseLogger } from 'fastify'
import type { Migration } from 'kysely/migration'
import type { Changes } from '../background/changes.ts'
import type { Database } from './tables.ts'

export type OpenDatabase = {
  kind: 'sqlite' | 'postgres'
  db: Database
  /** Id of this process among those that use the database. */
  node: string
  /** Notifies `changes` about writes of other processes within 500 ms, until the database is closed. */
  follow: (changes: Changes, log: FastifyBaseLogger) => void
  /**
   * Runs `work` unless this or another node already runs work of that name. Returns whether it ran; throws
   * DatabaseUnavailable. SQLite has no other nodes, so there it always runs.
   */
  alone: (name: string, work: () => Promise<void>) => Promise<boolean>
  close: () => Promise<void>
}

export type DatabasePlace = { file: string } | { url: string }

/** Opens the database and migrates it to the newest version. It loads only the driver that it needs. */
export async function openDatabase(place: DatabasePlace, migrations: Record<string, Migration>): Promise<OpenDatabase> {
  if ('url' in place) {
    const { openPostgresDatabase } = await import('./open-postgres.ts')
    return openPostgresDatabase(place.url, migrations)
  }
  const { openSqliteDatabase } = await import('./open-sqlite.ts')
  return openSqliteDatabase(place.file, migrations)
}
