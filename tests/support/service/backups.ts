import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { BackupFile } from '../../../contract/instance/backups.ts'
import { type BackupOptions, type BackupResult, makeBackup } from '../../../server/backups/make-backup.ts'
import { type RestoreOptions, type RestoreResult, restoreBackup } from '../../../server/backups/restore-backup.ts'
import { type VerificationResult, type VerifyOptions, verifyBackup } from '../../../server/backups/verify-backup.ts'
import { createAppContext, databaseLocation } from '../../../server/create-app-context.ts'
import { migrations } from '../../../server/migrations/migrations.ts'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import { openStorage } from '../../../server/platform/storage/open-storage.ts'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import { registries } from '../../../server/registries.ts'
import type { AppContext } from '../../../server/settings/app-context.ts'
import { withPostgresClient } from '../database/postgres-databases.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { getPostgresUrl, prepareBackEnds } from './back-ends.ts'

type WrapStorage = (storage: Storage) => Storage

const readTestConfig = async (dataDir: string) => readConfig({ DATA_DIR: dataDir, ...(await prepareBackEnds(dataDir)) })

/** Opens the back ends of a service a second time, as a CLI command does. */
export async function openSecondContext(dataDir: string, wrapStorage?: WrapStorage): Promise<AppContext> {
  const edges = wrapStorage ? { wrapStorage } : {}
  const { ctx, close } = await createAppContext(await readTestConfig(dataDir), pino({ level: 'silent' }), edges)
  onTestFinished(close)
  return ctx
}

export const runBackup = (
  ctx: AppContext,
  folder: string,
  options: Partial<BackupOptions> = {},
): Promise<BackupResult> => makeBackup(ctx, { folder, migrations, ...options })

/** Restores into the empty back ends of a data folder. A service can be started on that folder afterwards. */
export async function restoreTo(
  dataDir: string,
  folder: string,
  options: Partial<RestoreOptions> & { wrapStorage?: WrapStorage } = {},
): Promise<RestoreResult> {
  const { wrapStorage = (storage) => storage, ...rest } = options
  const config = await readTestConfig(dataDir)
  const storage = await openStorage(config)
  try {
    const target = { dataDir, place: databaseLocation(config), storage: wrapStorage(storage) }
    return await restoreBackup(target, { folder, migrations, ...rest })
  } finally {
    await storage.close()
  }
}

/** Returns a data folder to restore into. A new PostgreSQL test database has tables, which are dropped. */
export async function createRestoreTarget(): Promise<string> {
  const dataDir = await temporaryFolder()
  await prepareBackEnds(dataDir)
  const url = getPostgresUrl(dataDir)
  if (url !== null)
    await withPostgresClient(url, (client) => client.query('drop schema public cascade; create schema public'))
  return dataDir
}

export async function openStorageForTest(dataDir: string): Promise<Storage> {
  const storage = await openStorage(await readTestConfig(dataDir))
  onTestFinished(storage.close)
  return storage
}

export const verifyBackups = async (
  folder: string,
  options: Partial<VerifyOptions> = {},
): Promise<VerificationResult> =>
  verifyBackup({
    folder,
    migrations,
    storedFiles: registries.storedFiles,
    scratch: await temporaryFolder(),
    ...options,
  })

export async function listContentHashes(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

export async function readFileList(path: string): Promise<BackupFile[]> {
  const text = await readFile(join(path, 'files.jsonl'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
