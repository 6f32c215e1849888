import { BackupProblem } from '../backups/backup-folder.ts'
import { recordVerification } from '../backups/backup-rows.ts'
import { type BackupResult, describeSecrets, makeBackup } from '../backups/make-backup.ts'
import { type RestorePreview, type RestoreResult, restoreBackup } from '../backups/restore-backup.ts'
import { readStoredSecrets } from '../backups/stored-secrets.ts'
import { type VerificationResult, verifyBackup } from '../backups/verify-backup.ts'
import { databaseLocation } from '../create-app-context.ts'
import { migrations } from '../migrations/migrations.ts'
import { type Config, ConfigProblems } from '../platform/configuration/config.ts'
import { CopyMismatch } from '../platform/database/copy-tables.ts'
import { DatabaseUnavailable } from '../platform/database/opened-database.ts'
import { DatabaseNotEmpty } from '../platform/database/unfinished-copy.ts'
import { computeKeyId } from '../platform/security/encryption.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'
import { registries } from '../registries.ts'
import { hasInstance } from './choose-data.ts'
import { readCommandConfig } from './command-environment.ts'
import { CommandRejected, exitCodes, reportErrors } from './command-errors.ts'
import { print, printError } from './print.ts'
import { createProgressBar, type ProgressOptions } from './progress-bar.ts'
import { findUnusableMedia } from './unusable-data.ts'
import { withAppContext } from './with-app-context.ts'

export type BackupCommandOptions = ProgressOptions & { withSecrets?: boolean; keep?: number }

export const backUpInstance = (folder: string, options: BackupCommandOptions): Promise<void> =>
  reportErrors(formatBackupError, async () => {
    const config = readCommandConfig()
    if (!hasInstance(config)) {
      const text = `There is nothing to back up in ${config.dataDir}. Set DATA_DIR to the folder of the service.`
      throw new BackupProblem('no_instance', text)
    }
    await withAppContext({ creates: 'never' }, async (ctx) => {
      const bar = createProgressBar('files', options)
      const { showFiles: onProgress } = bar
      const result = await makeBackup(ctx, { folder, ...options, migrations, onProgress }).finally(bar.end)
      printBackup(result)
      if (result.denied > 0) await reportDenied(result.denied, config)
    })
  })

function printBackup({ path, manifest, copiedBytes, denied, removed }: BackupResult): void {
  const { count, size_bytes, damaged, deleted } = manifest.files
  const missing = manifest.files.missing - denied
  print(`${path}: ${count} files (${size_bytes} bytes, ${copiedBytes} of them new).`)
  print(secretTexts[describeSecrets(manifest)])
  if (removed.length > 0) print(`Removed: ${removed.join(', ')}`)
  if (deleted > 0) print(`${deleted} files were deleted by users during the backup.`)
  if (missing > 0) {
    const cure = 'Restore these files, or delete their photos'
    printError(`${missing} files are missing from the storage and from the backup: files.jsonl lists them. ${cure}.`)
    process.exitCode = exitCodes.failed
  }
  if (damaged > 0) printError(`${damaged} files are damaged and were copied as they are. See files.jsonl.`)
}

async function reportDenied(count: number, config: Config): Promise<void> {
  printError(`${count} files are not in the backup, because this user cannot read them.`)
  const unusable = await findUnusableMedia(config)
  if (unusable !== null)
    printError(`${unusable.text}. Give this user the rights, and run it again:`, `  ${unusable.line}`)
  process.exitCode = exitCodes.failed
}

const secretTexts = {
  encrypted: 'JWT_SECRET and ENCRYPTION_KEY are in the backup, encrypted with BACKUP_PASSPHRASE.',
  plain: 'JWT_SECRET and ENCRYPTION_KEY are in the backup in plain text.',
  none: 'JWT_SECRET and ENCRYPTION_KEY are not in the backup. Set BACKUP_PASSPHRASE to include them in encrypted form, or keep them elsewhere.',
}

export type RestoreCommandOptions = ProgressOptions & { backup?: string; withoutSecrets?: boolean }

export const restoreInstance = (folder: string, options: RestoreCommandOptions): Promise<void> =>
  reportErrors(formatBackupError, async () => {
    const config = readCommandConfig()
    const { dataDir } = config
    const bar = createProgressBar('files', options)
    const storage = await openStorage(config)
    try {
      const target = { dataDir, place: databaseLocation(config), storage }
      const restored = await restoreBackup(target, {
        folder,
        name: options.backup,
        migrations,
        passphrase: config.backupPassphrase,
        withoutSecrets: options.withoutSecrets ?? false,
        onBegin: (preview) => printPreview(preview, config),
        onProgress: bar.showFiles,
      }).finally(bar.end)
      printRestored(restored)
    } finally {
      await storage.close()
    }
  })

/** Says what cannot be restored, before anything is written. */
async function printPreview({ path, manifest, secrets, lost }: RestorePreview, config: Config): Promise<void> {
  print(`Restoring ${path} (version ${manifest.version}, ${manifest.files.count} files) into ${config.dataDir}.`)
  const { missing, damaged } = manifest.files
  if (missing > 0) printError(`${missing} files were already missing when the backup was made. See files.jsonl.`)
  if (damaged > 0) printError(`${damaged} files were already damaged when the backup was made. See files.jsonl.`)
  if (lost.length > 0) printError(`The backup has lost the contents of ${lost.length} files, which will be missing.`)
  const missingSecrets = await describeMissingSecrets(
    config,
    manifest.encryption_key_id,
    secrets?.encryptionKey ?? null,
  )
  if (missingSecrets) printError(missingSecrets)
}

function printRestored({ path, files, unreadable }: RestoreResult): void {
  print(`Restored ${path}: all rows and ${files} files.`)
  if (unreadable.length === 0) return
  printError(`${unreadable.length} files in the backup are unreadable:`)
  for (const key of unreadable) printError(`  ${key}`)
  process.exitCode = 1
}

/** Returns what the operator must do before the service can decrypt the restored secrets; null if nothing. */
async function describeMissingSecrets(
  config: Config,
  keyId: string,
  restoredKey: string | null,
): Promise<string | null> {
  const storedKey = (await readStoredSecrets(config.dataDir)).encryptionKey
  const key = config.encryptionKey ?? storedKey ?? restoredKey
  const configuredKeys = [key, config.encryptionKeyOld].filter((one) => one !== null)
  if (configuredKeys.some((one) => computeKeyId(one) === keyId)) return null
  const what =
    'Secrets of webhooks, second factors, gallery passwords and unsent mails cannot be read without the ENCRYPTION_KEY of the backed-up instance'
  if (configuredKeys.length === 0)
    return `${what}. Set ENCRYPTION_KEY and JWT_SECRET to its values before you start the service.`
  return `${what}, which differs from the key that is set here. Set it as ENCRYPTION_KEY or ENCRYPTION_KEY_OLD.`
}

export type VerifyCommandOptions = ProgressOptions & { backup?: string; scratch: string }

export const verifyInstanceBackup = (folder: string, options: VerifyCommandOptions): Promise<void> =>
  reportErrors(formatBackupError, async () => {
    const config = readCommandConfig()
    const bar = createProgressBar('files', options)
    const { backup: name, scratch } = options
    const passphrase = config.backupPassphrase
    const { storedFiles } = registries
    const choice = { folder, name, scratch, passphrase, migrations, storedFiles, onProgress: bar.showFiles }
    const verification = await verifyBackup(choice).finally(bar.end)
    printVerification(verification)
    // A verification can run without an instance. An instance that made the backup shows the result on its health page.
    if (!hasInstance(config)) return
    await withAppContext({ creates: 'never' }, async ({ db, clock }) => {
      const found = { verified_at: clock.now(), verified_problems: verification.problemCount }
      await recordVerification(db, verification.manifest.name, found)
    }).catch(reportUnrecorded)
  })

/** The backup is verified, whether or not this version can open the database now, for example before it is migrated. */
function reportUnrecorded(error: Error): void {
  if (!(error instanceof CommandRejected || error instanceof ConfigProblems)) throw error
  printError('The page Health does not show this result, because this version cannot open the database now.')
}

function printVerification({ path, manifest, files, problemCount, problems }: VerificationResult): void {
  for (const problem of problems) printError(problem)
  if (problemCount > problems.length) printError(`and ${problemCount - problems.length} more`)
  const { missing, damaged } = manifest.files
  if (missing + damaged > 0)
    print(`When the backup was made, ${missing} files were missing and ${damaged} were damaged.`)
  if (problemCount > 0) process.exitCode = 1
  else print(`${path} can be restored: all rows and ${files} files are intact.`)
}

/** System errors whose message is clear enough for the operator. */
const systemErrorCodes = ['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EDQUOT', 'SQLITE_FULL']

const expectedErrors = [BackupProblem, StorageUnavailable, DatabaseUnavailable, DatabaseNotEmpty, CopyMismatch]

function formatBackupError(error: Error & { code?: string }): string | null {
  if (error instanceof StorageFull) return 'The disk is full.'
  const isExpected = expectedErrors.some((kind) => error instanceof kind)
  return isExpected || systemErrorCodes.includes(error.code ?? '') ? error.message : null
}
