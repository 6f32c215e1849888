import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { BackupFile } from '../../contract/backups.ts'
import { type BackupOptions, type MadeBackup, makeBackup } from '../../server/backups/make-backup.ts'
import { type Restored, type RestoreOptions, restoreBackup } from '../../server/backups/restore-backup.ts'
import { type Verified, type VerifyOptions, verifyBackup } from '../../server/backups/verify-backup.ts'
import { createAppContext, placeOfDatabase } from '../../server/create-app-context.ts'
import { migrations } from '../../server/migrations/migrations.ts'
import { readConfig } from '../../server/platform/config.ts'
import { openStorage } from '../../server/platform/storage/open-storage.ts'
import type { Storage } from '../../server/platform/storage/storage.ts'
import type { AppContext } from '../../server/settings/app-context.ts'
import { backEndsOf, postgresUrlOf } from './back-ends.ts'
import { inPostgres } from './postgres-databases.ts'
import { temporaryFolder } from './temporary-folder.ts'

type WrapStorage = (storage: Storage) => Storage

const configOf = async (dataDir: string) => readConfig({ DATA_DIR: dataDir, ...(await backEndsOf(dataDir)) })

/** Opens the back ends of a service a second time, as a CLI command does. */
export async function contextBeside(dataDir: string, wrapStorage?: WrapStorage): Promise<AppContext> {
  const edges = wrapStorage ? { wrapStorage } : {}
  const { ctx, close } = await createAppContext(await configOf(dataDir), pino({ level: 'silent' }), edges)
  onTestFinished(close)
  return ctx
}

export const backUp = (ctx: AppContext, folder: string, options: Partial<BackupOptions> = {}): Promise<MadeBackup> =>
  makeBackup(ctx, { folder, migrations, ...options })

/** Restores into empty back ends of a data folder. A service can be started on it afterwards. */
export async function restoreTo(
  dataDir: string,
  folder: string,
  options: Partial<RestoreOptions> & { wrapStorage?: WrapStorage } = {},
): Promise<Restored> {
  const { wrapStorage = (storage) => storage, ...rest } = options
  const config = await configOf(dataDir)
  const storage = await openStorage(config)
  try {
    const target = { dataDir, place: placeOfDatabase(config), storage: wrapStorage(storage) }
    return await restoreBackup(target, { folder, migrations, ...rest })
  } finally {
    await storage.close()
  }
}

/** Returns a data folder to restore into. Test databases are copies with all tables, so the tables are dropped. */
export async function emptyPlace(): Promise<string> {
  const dataDir = await temporaryFolder()
  await backEndsOf(dataDir)
  const url = postgresUrlOf(dataDir)
  if (url !== null) await inPostgres(url, (client) => client.query('drop schema public cascade; create schema public'))
  return dataDir
}

export async function storageOf(dataDir: string): Promise<Storage> {
  const storage = await openStorage(await configOf(dataDir))
  onTestFinished(storage.close)
  return storage
}

export const verify = async (folder: string, options: Partial<VerifyOptions> = {}): Promise<Verified> =>
  verifyBackup({ folder, migrations, scratch: await temporaryFolder(), ...options })

export async function contentsIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

export async function listOf(path: string): Promise<BackupFile[]> {
  const text = await readFile(join(path, 'files.jsonl'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
