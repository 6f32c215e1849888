import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Migration } from 'kysely/migration'
import type { BackupManifest } from '../../contract/instance/backups.ts'
import { computeKeyId } from '../platform/security/encryption.ts'
import { StorageFull } from '../platform/storage/storage.ts'
import { isoTime } from '../platform/time/clock.ts'
import { version } from '../platform/version.ts'
import type { AppContext } from '../settings/app-context.ts'
import {
  BackupProblem,
  databaseFile,
  digestFile,
  formatBackupName,
  listFile,
  lockFolder,
  manifestFile,
  removeUnfinished,
  withSqliteFile,
  writeDurably,
} from './backup-folder.ts'
import { recordBackup } from './backup-rows.ts'
import { createContentStore } from './content-store.ts'
import { type CopyProgress, copyFiles } from './copy-files.ts'
import { storeEncryptedSecrets } from './encrypted-secrets.ts'
import { prepareFolder } from './prepare-folder.ts'
import { pruneBackups } from './prune-backups.ts'
import { snapshotDatabase } from './snapshot-database.ts'
import { storeSecrets } from './stored-secrets.ts'

export type BackupOptions = {
  /** May contain earlier backups, including those of other instances. */
  folder: string
  migrations: Record<string, Migration>
  /** Stores the secrets in plain text. Otherwise they are encrypted if BACKUP_PASSPHRASE is set, or left out. */
  withSecrets?: boolean
  /** The number of newest backups to keep; by default all. */
  keep?: number | undefined
  onProgress?: (progress: CopyProgress) => void
}

/** `denied`: files that this user cannot read, and that are `missing` in the manifest. */
export type BackupResult = {
  path: string
  manifest: BackupManifest
  copiedBytes: number
  denied: number
  removed: string[]
}

/**
 * Makes a backup; the service may run at the same time. The database snapshot comes first. The originals that it names
 * can still be copied afterwards, because they stay for at least an hour after their photo is deleted or replaced,
 * unless their event is deleted. A backup that lacks denied files is kept, but counts as failed. While files
 * are denied or missing, no other backup is removed, because it may have them. Throws BackupProblem.
 */
export async function makeBackup(ctx: AppContext, options: BackupOptions): Promise<BackupResult> {
  const { db, clock } = ctx
  const started_at = clock.now()
  try {
    const result = await withLock(resolve(options.folder), (folder) => writeBackup(ctx, folder, started_at, options))
    const { name, files } = result.manifest
    const counts = { files: files.count, bytes: files.size_bytes, missing: files.missing, damaged: files.damaged }
    const secrets = describeSecrets(result.manifest)
    const problem = result.denied > 0 ? 'EACCES' : null
    const run = { name, started_at, finished_at: clock.now(), problem, copied_bytes: result.copiedBytes, secrets }
    await recordBackup(db, { ...run, ...counts })
    return result
  } catch (error) {
    const counts = { files: 0, bytes: 0, copied_bytes: 0, missing: 0, damaged: 0 }
    const run = { name: null, started_at, finished_at: clock.now(), problem: getFailureCode(error), secrets: null }
    // Recording can fail, too, because the database may be the cause of the failure.
    await recordBackup(db, { ...run, ...counts }).catch((err) =>
      ctx.log.error({ err }, 'Could not record a failed backup'),
    )
    throw error
  }
}

async function withLock<T>(folder: string, work: (folder: string) => Promise<T>): Promise<T> {
  await prepareFolder(folder)
  const unlock = lockFolder(folder)
  try {
    return await work(folder)
  } finally {
    unlock()
  }
}

async function writeBackup(
  ctx: AppContext,
  folder: string,
  startedAt: number,
  { migrations, withSecrets = false, keep, onProgress = () => undefined }: BackupOptions,
): Promise<BackupResult> {
  const store = createContentStore(folder)
  await store.clearLeftovers()
  await removeUnfinished(folder)
  const name = formatBackupName(startedAt)
  const path = join(folder, name)
  await mkdir(path, { mode: 0o700 })

  await snapshotDatabase(ctx, join(path, databaseFile), migrations)
  const { rows, copied } = await withSqliteFile(join(path, databaseFile), { readonly: true }, async (copy) => ({
    rows: copy.countRows(),
    copied: await copyFiles(ctx, copy.db, store, join(path, listFile), onProgress),
  }))
  const { backupPassphrase } = ctx.config
  if (withSecrets) await storeSecrets(path, ctx.secrets)
  else if (backupPassphrase !== null) await storeEncryptedSecrets(path, ctx.secrets, backupPassphrase)
  const manifest: BackupManifest = {
    format: 1,
    name,
    created_at: isoTime(startedAt),
    version,
    database: { ...(await digestFile(join(path, databaseFile))), rows },
    files: {
      sha256: (await digestFile(join(path, listFile))).sha256,
      count: copied.kept + copied.damaged,
      size_bytes: copied.bytes,
      deleted: copied.deleted,
      missing: copied.missing,
      damaged: copied.damaged,
    },
    encryption_key_id: computeKeyId(ctx.secrets.encryptionKey),
    has_secrets: withSecrets,
    has_encrypted_secrets: !withSecrets && backupPassphrase !== null,
  }
  await writeDurably(join(path, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`)
  const removed = keep === undefined || copied.missing > 0 ? [] : await pruneBackups(folder, store, keep)
  return { path, manifest, copiedBytes: copied.copiedBytes, denied: copied.denied, removed }
}

export const describeSecrets = (manifest: BackupManifest): 'encrypted' | 'plain' | 'none' =>
  manifest.has_secrets ? 'plain' : manifest.has_encrypted_secrets ? 'encrypted' : 'none'

/** Returns a short failure code, which contains no paths or values. */
function getFailureCode(error: unknown): string {
  if (error instanceof BackupProblem) return error.failureCode
  if (error instanceof StorageFull) return 'ENOSPC'
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name ?? 'Error')
}
