import type { Config } from '../platform/config.ts'
import { CopyMismatch, SchemaVersionMismatch } from '../platform/database/copy-tables.ts'
import { DatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { DatabaseInUse } from '../platform/database/open-exclusively.ts'
import { DatabaseNotEmpty } from '../platform/database/unfinished-copy.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'
import { moveDatabase } from './move-database.ts'
import { moveMedia } from './move-media.ts'
import { MoveProblem } from './move-problem.ts'
import { createProgressBar } from './progress-bar.ts'

export async function reportDatabaseMove(config: Config): Promise<void> {
  await reportMoveErrors(async () => {
    const { databaseUrl, dataDir } = config
    if (databaseUrl === null) throw new MoveProblem('Name the PostgreSQL database: --to postgres://…')
    const bar = createProgressBar('rows')
    const onProgress = (now: { table: string; rows: number; totalRows: number }) =>
      bar.show(now.rows, now.totalRows, now.table)
    const tables = await moveDatabase(config, databaseUrl, { onProgress }).finally(bar.end)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`${rows} rows of ${tables.length} tables are copied; read back, they are the same.`)
    console.log('Start the service with DATABASE_URL set to that database from now on.')
    console.log(`${dataDir}/proofroom.db is as it was: keep it until you are content, and do not start on it again.`)
  })
}

export async function reportStorageMove(config: Config, to: 'disk' | 's3'): Promise<void> {
  await reportMoveErrors(async () => {
    const bar = createProgressBar('files')
    const onProgress = (now: { files: number; totalFiles: number }) => bar.show(now.files, now.totalFiles, '')
    const { intact, copied, missing, damaged } = await moveMedia(config, to, onProgress).finally(bar.end)
    console.log(`${intact} files are there and read back as their rows say; ${copied} of them were copied by this run.`)
    printKeys('are not there, or not whole, and were not moved', missing)
    printKeys('were damaged before, and were moved as they are', damaged)
    console.log('If the service is running: stop it and run this once more, which copies what has come in since.')
    const variables = to === 's3' ? 'S3_BUCKET and its like set as they are now' : 'S3_BUCKET unset'
    console.log(`Then start the service with ${variables}. Nothing was taken away from where the files were.`)
  })
}

const maxListed = 20

function printKeys(what: string, keys: readonly string[]): void {
  if (keys.length === 0) return
  console.error(`${keys.length} files ${what}:`)
  for (const key of keys.slice(0, maxListed)) console.error(`  ${key}`)
  if (keys.length > maxListed) console.error('  …')
  process.exitCode = 1
}

const formatMoveError = (error: unknown): string | null => {
  if (error instanceof MoveProblem) return error.message
  if (error instanceof DatabaseInUse) return `${error.message}: stop the service first.`
  if (error instanceof DatabaseNotEmpty) return `${error.message}. Make an empty one for Proofroom.`
  if (error instanceof DatabaseUnavailable) return `${error.message}. Run this again: it goes on where it stopped.`
  if (error instanceof StorageUnavailable) return `${error.message}. Run this again: it goes on where it stopped.`
  if (error instanceof StorageFull)
    return 'The disk is full. Make room and run this again: it goes on where it stopped.'
  if (error instanceof SchemaVersionMismatch)
    return `${error.message}. Start this version once on the old one, and stop it.`
  if (error instanceof CopyMismatch) return `${error.message}. Run this again: it begins anew.`
  // The database or the user does not exist.
  const { code = '', message } = error as { code?: string; message: string }
  return /^(3D|28)...$/.test(code) ? `PostgreSQL says: ${message}` : null
}

async function reportMoveErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const sentence = formatMoveError(error)
    if (sentence === null) throw error
    console.error(sentence)
    process.exitCode = 1
  }
}
