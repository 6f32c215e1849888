import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type SourceDatabase, SourceUnusable } from './source/source-database.ts'
import { openSourceFolder, type SourceFiles } from './source/source-files.ts'
import { type SourceRow, toText } from './source/source-values.ts'

export type PicPeakSource = {
  /** Identifies the installation, also in later imports. */
  id: string
  database: SourceDatabase
  files: SourceFiles
  close: () => Promise<void>
}

const databaseName = 'photo_sharing.db'

/**
 * Opens a PicPeak installation. `location` is its data folder, its SQLite file or the address of its PostgreSQL database.
 * `storage` is its storage folder, by default the one beside the database. Throws SourceUnusable.
 */
export async function openPicPeak(location: string, storage?: string): Promise<PicPeakSource> {
  const isPostgres = /^postgres(ql)?:\/\//.test(location)
  const file = isPostgres ? null : await findDatabase(location)
  if (file === null && storage === undefined) {
    throw new SourceUnusable('Say where the photos are: --storage <folder> names the storage folder of PicPeak.')
  }
  const folder = storage ?? (await findStorage(file ?? ''))
  const files = await openSourceFolder(folder)
  const database = await openDatabase(location, file)
  try {
    assertPicPeak(database)
    return { id: await identify(database), database, files, close: () => database.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openDatabase(url: string, file: string | null): Promise<SourceDatabase> {
  if (file === null) {
    const { openPostgresSource } = await import('./source/postgres-source.ts')
    return openPostgresSource(url)
  }
  const { openSqliteSource } = await import('./source/sqlite-source.ts')
  return openSqliteSource(file)
}

async function findDatabase(location: string): Promise<string> {
  const found = await stat(location).catch(() => null)
  if (found?.isFile()) return resolve(location)
  for (const path of [join(location, 'data', databaseName), join(location, databaseName)]) {
    if ((await stat(path).catch(() => null))?.isFile()) return resolve(path)
  }
  throw new SourceUnusable(`${location} has no database of PicPeak: there is no data/${databaseName} in it.`)
}

async function findStorage(file: string): Promise<string> {
  const above = dirname(dirname(file))
  for (const path of [join(above, 'storage'), join(dirname(file), 'storage')]) {
    if ((await stat(join(path, 'events')).catch(() => null))?.isDirectory()) return path
  }
  throw new SourceUnusable(`There is no storage folder near ${file}. Name it with --storage <folder>.`)
}

const neededTables = ['events', 'photos', 'photo_categories', 'photo_feedback', 'admin_users']

function assertPicPeak({ tables }: SourceDatabase): void {
  const missing = neededTables.filter((table) => !tables.has(table))
  if (missing.length === 0) return
  throw new SourceUnusable(`The database is not one of PicPeak: it has no table ${missing.join(', ')}.`)
}

/** The times of the first migrations and of the first account never change. */
async function identify({ tables, read }: SourceDatabase): Promise<string> {
  const hash = createHash('sha256')
  for (const [table, columns] of [
    ['migrations', ['name', 'filename', 'migration_time', 'executed_at', 'applied_at']],
    ['admin_users', ['id', 'created_at']],
  ] as const) {
    if (!tables.has(table)) continue
    const first = await readFirst(read(table))
    hash.update(JSON.stringify(columns.map((column) => toText(first?.[column]))))
  }
  return hash.digest('hex').slice(0, 16)
}

async function readFirst(rows: AsyncIterable<SourceRow>): Promise<SourceRow | undefined> {
  for await (const row of rows) return row
  return undefined
}

export async function readAll(rows: AsyncIterable<SourceRow>): Promise<SourceRow[]> {
  const all: SourceRow[] = []
  for await (const row of rows) all.push(row)
  return all
}
