import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { databaseLocation } from '../create-app-context.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Config, S3Config } from '../platform/config.ts'
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
import { loadSecrets } from '../platform/secrets.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'
import { MoveProblem, reportErrors } from './command-errors.ts'
import { type MoveResult, moveStorage, type StorageMove } from './move-storage.ts'
import { createProgressBar } from './progress-bar.ts'

export const reportDatabaseMove = (config: Config): Promise<void> =>
  reportErrors(formatMoveError, async () => {
    const bar = createProgressBar('rows')
    const tables = await moveDatabase(config, ({ table, rows, totalRows }) => bar.show(rows, totalRows, table)).finally(
      bar.end,
    )
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`${rows} rows of ${tables.length} tables are copied; read back, they are the same.`)
    console.log('Start the service with DATABASE_URL set to that database from now on.')
    console.log(
      `${config.dataDir}/proofroom.db is as it was: keep it until you are content, and do not start on it again.`,
    )
  })

/** Also copies the secrets; otherwise encrypted values would be unreadable. The file is locked during the copy. */
async function moveDatabase(
  config: Config,
  onProgress: NonNullable<CopyOptions['onProgress']>,
): Promise<CopiedTable[]> {
  const { databaseUrl: url, dataDir } = config
  if (url === null) throw new MoveProblem('Name the PostgreSQL database: --to postgres://…')
  const file = join(dataDir, 'proofroom.db')
  if (!existsSync(file)) throw new MoveProblem(`There is no SQLite database in ${dataDir}.`)
  const source = openExclusively(file)
  const finish = async (db: Database) => void (await loadSecrets(config, { kind: 'postgres', db }))
  try {
    const { db, version: sourceVersion } = source
    const excludedTables = ['kept_secrets']
    return await fillPostgres({ url, migrations, source: db, sourceVersion, excludedTables, finish, onProgress })
  } finally {
    await source.close()
  }
}

export const reportStorageMove = (config: Config, to: 'disk' | 's3'): Promise<void> =>
  reportErrors(formatMoveError, async () => {
    const bar = createProgressBar('files')
    const { intact, copied, missing, damaged } = await moveMedia(config, to, bar.showFiles).finally(bar.end)
    console.log(`${intact} files are there and read back as their rows say; ${copied} of them were copied by this run.`)
    printKeys('are not there, or not whole, and were not moved', missing)
    printKeys('were damaged before, and were moved as they are', damaged)
    console.log('If the service is running: stop it and run this once more, which copies what has come in since.')
    const variables = to === 's3' ? 'S3_BUCKET and its like set as they are now' : 'S3_BUCKET unset'
    console.log(`Then start the service with ${variables}. Nothing was taken away from where the files were.`)
  })

/** Copies between DATA_DIR and the configured bucket. */
async function moveMedia(
  config: Config,
  to: 'disk' | 's3',
  onProgress: NonNullable<StorageMove['onProgress']>,
): Promise<MoveResult> {
  const { s3, dataDir } = config
  if (s3 === null) throw new MoveProblem('Name the bucket with S3_BUCKET, and how to reach it with its like.')
  const place = databaseLocation(config)
  if ('file' in place && !existsSync(place.file)) throw new MoveProblem(`There is no database in ${dataDir}.`)
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

function printKeys(what: string, keys: readonly string[]): void {
  if (keys.length === 0) return
  console.error(`${keys.length} files ${what}:`)
  for (const key of keys.slice(0, maxListed)) console.error(`  ${key}`)
  if (keys.length > maxListed) console.error('  …')
  process.exitCode = 1
}

const resumable = 'Run this again: it goes on where it stopped.'

/** What the operator can do, after the message of the error. */
const advices: ReadonlyArray<[kind: new (...args: never[]) => Error, advice: string]> = [
  [MoveProblem, ''],
  [DatabaseInUse, ': stop the service first.'],
  [DatabaseNotEmpty, '. Make an empty one for Proofroom.'],
  [DatabaseUnavailable, `. ${resumable}`],
  [StorageUnavailable, `. ${resumable}`],
  [SchemaVersionMismatch, '. Start this version once on the old one, and stop it.'],
  [CopyMismatch, '. Run this again: it begins anew.'],
]

function formatMoveError(error: Error & { code?: string }): string | null {
  if (error instanceof StorageFull)
    return 'The disk is full. Make room and run this again: it goes on where it stopped.'
  const [, advice] = advices.find(([kind]) => error instanceof kind) ?? []
  if (advice !== undefined) return error.message + advice
  // The database or the user does not exist.
  return /^(3D|28)...$/.test(error.code ?? '') ? `PostgreSQL says: ${error.message}` : null
}
