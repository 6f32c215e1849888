import type { Migration } from 'kysely/migration'
import type { OpenDatabase, OpenOptions } from './opened-database.ts'

export type DatabaseLocation = { file: string } | { url: string }

/**
 * Opens the database and migrates it to the newest schema. Loads only the driver of that database. Throws the errors of
 * `SchemaOptions`.
 */
export async function openDatabase(
  location: DatabaseLocation,
  migrations: Record<string, Migration>,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  if ('url' in location) {
    const { openPostgresDatabase } = await import('./open-postgres.ts')
    return openPostgresDatabase(location.url, migrations, options)
  }
  const { openSqliteDatabase } = await import('./open-sqlite.ts')
  return openSqliteDatabase(location.file, migrations, options)
}
