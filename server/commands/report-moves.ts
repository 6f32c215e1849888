import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MessageKey } from '../../locales/catalogs.ts'
import { databaseLocation, getMovedMark } from '../create-app-context.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Config, S3Config } from '../platform/configuration/config.ts'
import {
  type CopiedTable,
  CopyMismatch,
  type CopyOptions,
  SchemaVersionMismatch,
} from '../platform/database/copy-tables.ts'
import { fillPostgres } from '../platform/database/fill-postgres.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { DatabaseUnavailable } from '../platform/database/opened-database.ts'
import { DatabaseInUse, openExclusively } from '../platform/database/sqlite-file.ts'
import type { Database } from '../platform/database/tables.ts'
import { DatabaseNotEmpty } from '../platform/database/unfinished-copy.ts'
import { loadSecrets } from '../platform/security/secrets.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'
import { t } from '../platform/text/command-messages.ts'
import { MoveProblem, reportErrors } from './command-errors.ts'
import { type MoveResult, moveStorage, type StorageMove } from './move-storage.ts'
import { print, printError } from './print.ts'
import { createProgressBar, type ProgressOptions } from './progress-bar.ts'

export const reportDatabaseMove = (config: Config, options: ProgressOptions): Promise<void> =>
  reportErrors(formatMoveError, async () => {
    const bar = createProgressBar('unitRows', options)
    const tables = await moveDatabase(config, ({ table, rows, totalRows }) => bar.show(rows, totalRows, table)).finally(
      bar.end,
    )
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    print(t('rowsMoved', { count: rows, tables: tables.length }))
    print(t('startWithDatabase'), t('oldDatabaseKept', { dataDir: config.dataDir }))
  })

/**
 * Also copies generated secrets, because encrypted values are unreadable without them. The SQLite file is locked until
 * the end.
 */
async function moveDatabase(
  config: Config,
  onProgress: NonNullable<CopyOptions['onProgress']>,
): Promise<CopiedTable[]> {
  const { databaseUrl: url, dataDir } = config
  if (url === null) throw new MoveProblem(t('targetDatabaseMissing'))
  const file = join(dataDir, 'proofroom.db')
  if (!existsSync(file)) throw new MoveProblem(t('noSqlite', { dataDir }))
  const source = openExclusively(file)
  const finish = async (db: Database) => void (await loadSecrets(config, { kind: 'postgres', db }))
  try {
    const { db, version: sourceVersion } = source
    const excludedTables = ['kept_secrets']
    const tables = await fillPostgres({
      url,
      migrations,
      source: db,
      sourceVersion,
      excludedTables,
      finish,
      onProgress,
    })
    // Before the lock ends: a service that waits for the file must not start on it.
    await writeFile(
      getMovedMark(file),
      'The rows are in PostgreSQL. Without this file, the service starts on the SQLite file again.\n',
    )
    return tables
  } finally {
    await source.close()
  }
}

export const reportStorageMove = (config: Config, to: 'disk' | 's3', options: ProgressOptions): Promise<void> =>
  reportErrors(formatMoveError, async () => {
    const bar = createProgressBar('unitFiles', options)
    const { intact, copied, missing, damaged } = await moveMedia(config, to, bar.showFiles).finally(bar.end)
    print(t('filesMoved', { count: intact, copied }))
    printKeys('notMovedMissing', missing)
    printKeys('movedDamaged', damaged)
    print(t('stopAndMoveAgain'), t(to === 's3' ? 'startWithBucket' : 'startWithDisk'))
  })

/** Copies between DATA_DIR and the configured bucket. */
async function moveMedia(
  config: Config,
  to: 'disk' | 's3',
  onProgress: NonNullable<StorageMove['onProgress']>,
): Promise<MoveResult> {
  const { s3, dataDir } = config
  if (s3 === null) throw new MoveProblem(t('bucketMissing'))
  const place = databaseLocation(config)
  if ('file' in place && !existsSync(place.file)) throw new MoveProblem(t('noDatabase', { dataDir }))
  const [disk, bucket] = [await openStorage({ s3: null, dataDir }), await openStorage({ s3, dataDir })]
  const { db, close } = await openDatabase(place, migrations)
  const [source, target] = to === 's3' ? [disk, bucket] : [bucket, disk]
  const folder = join(dataDir, 'moved-files', to === 's3' ? hashBucketId(s3) : 'disk')
  return moveStorage({ db, source, target, folder, onProgress }).finally(() =>
    Promise.all([close(), disk.close(), bucket.close()]),
  )
}

const hashBucketId = ({ endpoint, bucket, prefix }: S3Config): string =>
  createHash('sha256')
    .update(JSON.stringify([endpoint, bucket, prefix]))
    .digest('hex')
    .slice(0, 16)

const maxListed = 20

function printKeys(title: 'notMovedMissing' | 'movedDamaged', keys: readonly string[]): void {
  if (keys.length === 0) return
  printError(t(title, { count: keys.length }))
  for (const key of keys.slice(0, maxListed)) printError(`  ${key}`)
  if (keys.length > maxListed) printError('  …')
  process.exitCode = 1
}

/** Each message has that of an error of the class, and explains what to do. */
const advices: ReadonlyArray<[kind: new (...args: never[]) => Error, advice: MessageKey<'commands'>]> = [
  [DatabaseInUse, 'moveInUse'],
  [DatabaseNotEmpty, 'moveNotEmpty'],
  [DatabaseUnavailable, 'moveResumable'],
  [StorageUnavailable, 'moveResumable'],
  [SchemaVersionMismatch, 'moveOldSchema'],
  [CopyMismatch, 'moveMismatch'],
]

function formatMoveError(error: Error & { code?: string }): string | null {
  if (error instanceof MoveProblem) return error.message
  if (error instanceof StorageFull) return t('moveDiskFull')
  const [, advice] = advices.find(([kind]) => error instanceof kind) ?? []
  if (advice !== undefined) return t(advice, { problem: error.message })
  // The SQLSTATE classes 3D and 28 mean that the database does not exist, or that the user may not connect.
  return /^(3D|28)...$/.test(error.code ?? '') ? t('postgresReports', { problem: error.message }) : null
}
