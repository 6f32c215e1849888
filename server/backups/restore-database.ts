import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Migration } from 'kysely/migration'
import { ensureCopyMarkAt, fillPostgres } from '../platform/database/fill-postgres.ts'
import { type DatabaseLocation, openDatabase } from '../platform/database/open-database.ts'
import type { Database } from '../platform/database/tables.ts'
import { DatabaseNotEmpty } from '../platform/database/unfinished-copy.ts'
import { loadSecrets } from '../platform/security/secrets.ts'
import { BackupProblem, databaseFile, digestFile, withSqliteFile } from './backup-folder.ts'
import { syncFile, syncFolder } from './content-store.ts'
import { readStoredSecrets } from './stored-secrets.ts'

export type DatabaseToRestore = {
  path: string
  sha256: string
  place: DatabaseLocation
  dataDir: string
  migrations: Record<string, Migration>
}

/**
 * Marks an empty PostgreSQL database as incomplete until the restore has finished. Throws BackupProblem or
 * DatabaseNotEmpty if there is a database already, or an unfinished copy from another source.
 */
export async function ensureNoDatabase(restore: DatabaseToRestore): Promise<void> {
  const { place } = restore
  if ('file' in place) {
    if (existsSync(place.file)) throw createDatabaseExistsProblem(place.file)
    return
  }
  const markedVersion = await ensureCopyMarkAt(place.url)
  if (markedVersion === '' || markedVersion === formatCopyVersion(restore)) return
  throw new BackupProblem(
    'not_empty',
    'The database contains an unfinished copy from another source. Create an empty database.',
  )
}

/**
 * Returns whether an interrupted restore had already written all rows. A PostgreSQL database that contains all rows is
 * no longer marked as incomplete.
 */
export async function isRestored(restore: DatabaseToRestore): Promise<boolean> {
  const { place, sha256 } = restore
  if ('file' in place) return existsSync(place.file) && (await digestFile(place.file)).sha256 === sha256
  return ensureCopyMarkAt(place.url).then(
    () => false,
    (error) => {
      if (error instanceof DatabaseNotEmpty) return true
      throw error
    },
  )
}

/** PostgreSQL gets the rows of a migrated copy of the SQLite file, and is then compared with this copy. */
export async function restoreDatabase(restore: DatabaseToRestore): Promise<void> {
  const { path, place, dataDir } = restore
  const scratch = join(dataDir, 'restoring')
  const draft = join(scratch, databaseFile)
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch)
  await copyFile(join(path, databaseFile), draft)
  if ('file' in place) await moveIntoPlace(draft, place.file)
  else await copyIntoPostgres(draft, place.url, restore)
  await rm(scratch, { recursive: true })
}

/** Creates a hard link, because a rename would overwrite an existing database. */
async function moveIntoPlace(draft: string, file: string): Promise<void> {
  await syncFile(draft)
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? createDatabaseExistsProblem(file) : error
  })
  await syncFolder(dirname(file))
}

async function copyIntoPostgres(draft: string, url: string, restore: DatabaseToRestore): Promise<void> {
  const { dataDir, migrations } = restore
  const migrated = await openDatabase({ file: draft }, migrations)
  await migrated.close()
  const sourceVersion = formatCopyVersion(restore)
  const finish = (target: Database) => storeSecretsInDatabase(target, dataDir)
  await withSqliteFile(draft, { readonly: true }, ({ db: source }) =>
    fillPostgres({ url, migrations, source, sourceVersion, finish }),
  )
}

/** Stores the restored secrets in the database, so that any node can use them. */
async function storeSecretsInDatabase(db: Database, dataDir: string): Promise<void> {
  const { jwtSecret, encryptionKey } = await readStoredSecrets(dataDir)
  if (jwtSecret === null || encryptionKey === null) return
  await loadSecrets({ dataDir, jwtSecret: null, encryptionKey: null }, { kind: 'postgres', db })
}

/** Identifies the source of a copy. An interrupted copy is continued only if this text is equal. */
const formatCopyVersion = ({ sha256, migrations }: DatabaseToRestore): string =>
  `${sha256} ${Object.keys(migrations).at(-1)}`

const createDatabaseExistsProblem = (file: string) =>
  new BackupProblem('not_empty', `A database already exists: ${file}.`)
