import { createHash } from 'node:crypto'
import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../platform/configuration/config.ts'
import { withRegularFile } from '../platform/storage/untrusted-files.ts'
import { t } from '../platform/text/command-messages.ts'
import { describeDenied } from './source/denied-access.ts'
import type { ExportStaging } from './source/export-source.ts'
import type { ExportProblem } from './source/export-tables.ts'
import { type SourceDatabase, SourceUnusable } from './source/source-database.ts'
import { joinFiles, openSourceFolder, type SourceFiles } from './source/source-files.ts'
import { type SourceRow, toText, toTime } from './source/source-values.ts'
import type { SourceDatabaseFile } from './source/sqlite-source.ts'

export type PicPeakSource = {
  /** Identifies the installation, also in later imports. */
  id: string
  database: SourceDatabase
  files: SourceFiles
  /** Photos that PicPeak only refers to; null if their folder is not named. */
  externalMedia: SourceFiles | null
  /** Rows that cannot be read from an export. */
  problems: readonly ExportProblem[]
  close: () => Promise<void>
}

export type PicPeakLocation = {
  /** A data folder, a SQLite file, an export, or the address of a PostgreSQL database. */
  source: string
  /** The storage folder or `s3://bucket/prefix`; by default the folder beside the database, or the export itself. */
  storage?: string | undefined
  /** The folder of external media. */
  externalMedia?: string | undefined
}

type Means = { store: Config['picpeakStore']; staging: ExportStaging }

const databaseName = 'photo_sharing.db'

/** Opens a PicPeak installation. Throws SourceUnusable. */
export async function openPicPeak(
  { source, storage, externalMedia: folder }: PicPeakLocation,
  means: Means,
): Promise<PicPeakSource> {
  const externalMedia = folder === undefined ? null : await openSourceFolder(folder)
  return { ...(await openWithPhotos(source, storage, means)), externalMedia }
}

type WithPhotos = Omit<PicPeakSource, 'externalMedia'>

async function openWithPhotos(source: string, storage: string | undefined, means: Means): Promise<WithPhotos> {
  if (await isZip(source)) return openFromExport(source, storage, means)
  const isPostgres = /^postgres(ql)?:\/\//.test(source)
  const file = isPostgres ? null : await findDatabase(source)
  if (file === null && storage === undefined) throw new SourceUnusable(t('storageUnnamed'))
  const files = await openStorage(
    storage ?? (await findStorage(file === null ? '' : join(file.root, file.path))),
    means,
  )
  try {
    return await identifySource(await openDatabase(source, file), files, [])
  } catch (error) {
    files.close()
    throw error
  }
}

/** False for a path that cannot be read, such as the address of a database. */
async function isZip(path: string): Promise<boolean> {
  const file = await realpath(path).catch(() => null)
  if (file === null) return false
  return withRegularFile({ root: dirname(file), path: [basename(file)] }, async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.toString('latin1') === 'PK\x03\x04'
  }).catch(() => false)
}

/** A storage folder or bucket has the originals that an export leaves out. */
async function openFromExport(file: string, storage: string | undefined, means: Means): Promise<WithPhotos> {
  const { openExport } = await import('./source/export-source.ts')
  const { database, files, hasOriginals, problems } = await openExport(file, means.staging)
  try {
    const rest = storage === undefined ? null : await openStorage(storage, means)
    const both = rest ? joinFiles(files, rest) : files
    if (rest === null && !hasOriginals && (await database.count('photos').catch(() => 0)) > 0) {
      throw new SourceUnusable(t('exportWithoutPhotos', { file }))
    }
    return await identifySource(database, both, problems)
  } catch (error) {
    files.close()
    throw error
  }
}

async function identifySource(
  database: SourceDatabase,
  files: SourceFiles,
  problems: readonly ExportProblem[],
): Promise<WithPhotos> {
  const close = async () => {
    files.close()
    await database.close()
  }
  try {
    assertPicPeak(database)
    return { id: await identify(database), database, files, problems, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openStorage(place: string, { store }: Means): Promise<SourceFiles> {
  const [, bucket, path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/.exec(place) ?? []
  if (bucket === undefined) return openSourceFolder(place)
  const { openSourceBucket } = await import('./source/bucket-files.ts')
  const segments = path.split('/').filter(Boolean)
  return openSourceBucket({ ...store, bucket, prefix: segments.map((segment) => `${segment}/`).join('') })
}

async function openDatabase(url: string, file: SourceDatabaseFile | null): Promise<SourceDatabase> {
  if (file === null) {
    const { openPostgresSource } = await import('./source/postgres-source.ts')
    return openPostgresSource(url)
  }
  const { openSqliteSource } = await import('./source/sqlite-source.ts')
  return openSqliteSource(file)
}

async function findDatabase(location: string): Promise<SourceDatabaseFile> {
  const found = await stat(location).catch(() => null)
  const isFile = found?.isFile() ?? false
  for (const path of isFile ? [''] : [`data/${databaseName}`, databaseName]) {
    const file = join(location, path)
    for (const one of [file, `${file}-wal`]) assertAllowed(one, location)
    const root = await realpath(location).catch(() => null)
    if (root !== null && isFile) return { root: dirname(root), path: basename(root) }
    if (root !== null && (await lstat(file).catch(() => null))) return { root, path }
  }
  throw new SourceUnusable(t('noPicpeakDatabase', { location, name: databaseName }))
}

function assertAllowed(path: string, root: string): void {
  const denied = describeDenied(path, root)
  if (denied !== null) throw new SourceUnusable(denied)
}

async function findStorage(file: string): Promise<string> {
  const above = dirname(dirname(file))
  for (const path of [join(above, 'storage'), join(dirname(file), 'storage')]) {
    assertAllowed(join(path, 'events'), path)
    for (const one of [path, join(path, 'events')]) {
      const isLink = (await lstat(one).catch(() => null))?.isSymbolicLink()
      if (isLink) throw new SourceUnusable(t('storageIsLink', { path: one }))
    }
    if ((await lstat(join(path, 'events')).catch(() => null))?.isDirectory()) return path
  }
  throw new SourceUnusable(t('noStorageNear', { file }))
}

const neededTables = ['events', 'photos', 'photo_categories', 'photo_feedback', 'admin_users']

function assertPicPeak({ tables }: SourceDatabase): void {
  const missing = neededTables.filter((table) => !tables.has(table))
  if (missing.length === 0) return
  throw new SourceUnusable(t('notPicpeak', { tables: missing.join(', ') }))
}

/** The times of the first migrations and of the first account never change. An export writes them in another form. */
async function identify({ tables, read }: SourceDatabase): Promise<string> {
  const hash = createHash('sha256')
  for (const [table, columns] of [
    ['migrations', ['name', 'filename', 'migration_time', 'executed_at', 'applied_at']],
    ['admin_users', ['id', 'created_at']],
  ] as const) {
    if (!tables.has(table)) continue
    const first = await readFirst(read(table))
    hash.update(JSON.stringify(columns.map((column) => toTime(first?.[column]) ?? toText(first?.[column]))))
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
