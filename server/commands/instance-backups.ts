import { existsSync } from 'node:fs'
import { BackupProblem } from '../backups/backup-folder.ts'
import { recordVerification } from '../backups/backup-rows.ts'
import { type BackupResult, makeBackup } from '../backups/make-backup.ts'
import { type RestoreResult, restoreBackup } from '../backups/restore-backup.ts'
import { readStoredSecrets } from '../backups/stored-secrets.ts'
import { type VerificationResult, verifyBackup } from '../backups/verify-backup.ts'
import { databaseLocation } from '../create-app-context.ts'
import { migrations } from '../migrations/migrations.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { CopyMismatch } from '../platform/database/copy-tables.ts'
import { DatabaseUnavailable } from '../platform/database/opened-database.ts'
import { DatabaseNotEmpty } from '../platform/database/unfinished-copy.ts'
import { computeKeyId } from '../platform/encryption.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'
import { reportErrors } from './command-errors.ts'
import { createProgressBar } from './progress-bar.ts'
import { withAppContext } from './with-app-context.ts'

export const backUpInstance = (folder: string, options: { withSecrets?: boolean; keep?: number }): Promise<void> =>
  reportErrors(formatBackupError, async () => {
    const config = readConfig(process.env)
    if (!hasInstance(config)) {
      const text = `There is nothing to back up in ${config.dataDir}. Set DATA_DIR to the folder of the service.`
      throw new BackupProblem('no_instance', text)
    }
    await withAppContext(async (ctx) => {
      const bar = createProgressBar('files')
      const { showFiles: onProgress } = bar
      printBackup(await makeBackup(ctx, { folder, ...options, migrations, onProgress }).finally(bar.end))
    })
  })

function printBackup({ path, manifest, copiedBytes, removed }: BackupResult): void {
  const { count, size_bytes, missing, damaged, deleted } = manifest.files
  console.log(`${path}: ${count} files (${size_bytes} bytes, ${copiedBytes} of them new).`)
  if (removed.length > 0) console.log(`Removed: ${removed.join(', ')}`)
  if (deleted > 0) console.log(`${deleted} files were deleted by users during the backup.`)
  if (missing > 0) console.error(`${missing} files are missing from the storage and from the backup. See files.jsonl.`)
  if (damaged > 0) console.error(`${damaged} files are damaged and were copied as they are. See files.jsonl.`)
}

export const restoreInstance = (folder: string, name: string | undefined): Promise<void> =>
  reportErrors(formatBackupError, async () => {
    const config = readConfig(process.env)
    const { dataDir } = config
    const bar = createProgressBar('files')
    const storage = await openStorage(config)
    try {
      const target = { dataDir, place: databaseLocation(config), storage }
      const options = { folder, name, migrations, onProgress: bar.showFiles }
      const restored = await restoreBackup(target, options).finally(bar.end)
      printRestored(restored, await describeMissingSecrets(config, restored.manifest.encryption_key_id))
    } finally {
      await storage.close()
    }
  })

function printRestored({ path, files, unreadable }: RestoreResult, secrets: string | null): void {
  console.log(`Restored ${path}: all rows and ${files} files.`)
  if (secrets) console.log(secrets)
  if (unreadable.length === 0) return
  console.error(`${unreadable.length} files in the backup are unreadable:`)
  for (const key of unreadable) console.error(`  ${key}`)
  process.exitCode = 1
}

/** Returns what the operator must do before the service can decrypt the restored secrets; null if nothing. */
async function describeMissingSecrets(config: Config, keyId: string): Promise<string | null> {
  const key = config.encryptionKey ?? (await readStoredSecrets(config.dataDir)).encryptionKey
  const configuredKeys = [key, config.encryptionKeyOld].filter((one) => one !== null)
  if (configuredKeys.some((one) => computeKeyId(one) === keyId)) return null
  const what =
    'The secrets of webhooks and second factors were encrypted with the ENCRYPTION_KEY of the backed-up instance'
  if (configuredKeys.length === 0)
    return `${what}. Set ENCRYPTION_KEY and JWT_SECRET to its values before you start the service.`
  return `${what}, which differs from the key that is set here. Set that key as ENCRYPTION_KEY or ENCRYPTION_KEY_OLD.`
}

export const verifyInstanceBackup = (folder: string, name: string | undefined, scratch: string): Promise<void> =>
  reportErrors(formatBackupError, async () => {
    const bar = createProgressBar('files')
    const options = { folder, name, scratch, migrations, onProgress: bar.showFiles }
    const verification = await verifyBackup(options).finally(bar.end)
    printVerification(verification)
    // A verification can run without an instance. An instance that made the backup shows the result on its health page.
    if (!hasInstance(readConfig(process.env))) return
    await withAppContext(async ({ db, clock }) => {
      const found = { verified_at: clock.now(), verified_problems: verification.problemCount }
      await recordVerification(db, verification.manifest.name, found)
    })
  })

function printVerification({ path, manifest, files, problemCount, problems }: VerificationResult): void {
  for (const problem of problems) console.error(problem)
  if (problemCount > problems.length) console.error(`and ${problemCount - problems.length} more`)
  const { missing, damaged } = manifest.files
  if (missing + damaged > 0)
    console.log(`When the backup was made, ${missing} files were missing and ${damaged} were damaged.`)
  if (problemCount > 0) process.exitCode = 1
  else console.log(`${path} can be restored: all rows and ${files} files are intact.`)
}

/** Checks for the SQLite file first, because opening a missing database would create it. */
function hasInstance(config: Config): boolean {
  const place = databaseLocation(config)
  return 'url' in place || existsSync(place.file)
}

/** System errors whose message is clear enough for the operator. */
const systemErrorCodes = ['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EDQUOT', 'SQLITE_FULL']

const expectedErrors = [BackupProblem, StorageUnavailable, DatabaseUnavailable, DatabaseNotEmpty, CopyMismatch]

function formatBackupError(error: Error & { code?: string }): string | null {
  if (error instanceof StorageFull) return 'The disk is full.'
  const isExpected = expectedErrors.some((kind) => error instanceof kind)
  return isExpected || systemErrorCodes.includes(error.code ?? '') ? error.message : null
}
