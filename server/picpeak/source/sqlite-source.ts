import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import { UnsafeFile, withRegularFile } from '../../platform/storage/untrusted-files.ts'
import { t } from '../../platform/text/command-messages.ts'
import { quoteName, type SourceDatabase, SourceUnusable } from './source-database.ts'
import type { SourceRow } from './source-values.ts'

const rowsPerRead = 1_000

/** `path` is that of the file below the folder that the operator has named. */
export type SourceDatabaseFile = { root: string; path: string }

/**
 * Opens a copy of the file, because SQLite writes beside a database that it reads. Throws SourceUnusable if the file
 * changes while it is copied, or is not a database.
 */
export const openSqliteSource = (file: SourceDatabaseFile): Promise<SourceDatabase> =>
  openTemporary(async (path) => {
    await copyUnchanged(file, path)
    const sqlite = new Sqlite(path)
    // Merges the log of recent writes into the copy.
    sqlite.pragma('journal_mode = delete')
    return sqlite
  }).catch((error) => {
    if (!(error instanceof Sqlite.SqliteError)) throw error
    throw new SourceUnusable(t('sourceNoSqlite', { file: join(file.root, file.path), problem: error.message }))
  })

/** Returns the database that `create` makes at a temporary path. */
export async function openTemporary(create: (path: string) => Promise<Sqlite.Database>): Promise<SourceDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-source-'))
  try {
    const sqlite = await create(join(folder, 'source.db'))
    return { ...openTables(sqlite), close: async () => void sqlite.close() }
  } finally {
    // The open database stays readable without its name, and a killed process leaves nothing behind.
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies the database with its log of recent writes. */
async function copyUnchanged({ root, path }: SourceDatabaseFile, copy: string): Promise<void> {
  const shown = join(root, path)
  const places = [path, `${path}-wal`].map((one) => ({ root, path: one }))
  const before = await Promise.all(places.map(describe))
  if (before[0] === null) throw new SourceUnusable(t('noSourceFile', { file: shown }))
  for (const [index, place] of places.entries()) {
    if (before[index] !== null) await copyFile(place, index === 0 ? copy : `${copy}-wal`)
  }
  const after = await Promise.all(places.map(describe))
  if (before.join() !== after.join()) {
    throw new SourceUnusable(t('sourceChanges', { file: shown }))
  }
}

/** Stops at the size that the file has at first. */
const copyFile = (place: SourceDatabaseFile, copy: string): Promise<void> =>
  withRegularFile(place, async (file) => {
    const { size } = await file.stat()
    const bytes = file.createReadStream({ start: 0, end: size, highWaterMark: 2 ** 20, autoClose: false })
    await pipeline(bytes, createWriteStream(copy, { flags: 'wx' }))
  })

const describe = (place: SourceDatabaseFile): Promise<string | null> =>
  withRegularFile(place, async (file) => {
    const { size, mtimeMs } = await file.stat()
    return `${size} ${mtimeMs}`
  }).catch((error) => {
    if (error.code === 'ENOENT') return null
    if (!(error instanceof UnsafeFile)) throw error
    throw new SourceUnusable(t('sourceFileUnreadable', { file: join(place.root, place.path), problem: error.message }))
  })

function openTables(sqlite: Sqlite.Database): Omit<SourceDatabase, 'close'> {
  const names = sqlite.prepare<[], string>(`select name from sqlite_master where type = 'table'`).pluck().all()
  const columnsOf = sqlite.prepare<[string], string>('select name from pragma_table_info(?)').pluck()
  const tables = new Map(names.map((name) => [name, new Set(columnsOf.all(name))]))

  return {
    tables,
    async *read(table, where) {
      if (where && !tables.get(table)?.has(where.column)) return
      const condition = where ? ` and ${quoteName(where.column)} = ?` : ''
      const statement = sqlite
        .prepare<unknown[], SourceRow & { source_rowid: bigint }>(
          `select rowid as source_rowid, * from ${quoteName(table)} where rowid > ?${condition} order by rowid limit ?`,
        )
        .safeIntegers()
      for (let after = -(2n ** 63n); ; ) {
        const rows = named(() => statement.all(after, ...(where ? [where.value] : []), rowsPerRead))
        yield* rows
        const last = rows.at(-1)
        if (!last || rows.length < rowsPerRead) return
        after = last.source_rowid
      }
    },
    async count(table) {
      const statement = sqlite.prepare<[], number>(`select count(*) from ${quoteName(table)}`).pluck()
      return named(() => statement.get()) ?? 0
    },
  }
}

/** An error of SQLite would otherwise look like one of the database here. */
function named<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new SourceUnusable(t('sourceDamaged', { problem: (error as Error).message }))
  }
}
