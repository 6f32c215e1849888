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
import { t } from '../platform/text/command-messages.ts'
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
      throw new BackupProblem('no_instance', t('nothingToBackUp', { dataDir: config.dataDir }))
    }
    await withAppContext({ creates: 'never' }, async (ctx) => {
      const bar = createProgressBar('unitFiles', options)
      const { showFiles: onProgress } = bar
      const result = await makeBackup(ctx, { folder, ...options, migrations, onProgress }).finally(bar.end)
      printBackup(result)
      if (result.denied > 0) await reportDenied(result.denied, config)
    })
  })

function printBackup({ path, manifest, copiedBytes, denied, removed }: BackupResult): void {
  const { count, size_bytes, damaged, deleted } = manifest.files
  const missing = manifest.files.missing - denied
  print(t('backedUp', { path, count, bytes: size_bytes, copied: copiedBytes }))
  print(t(secretTexts[describeSecrets(manifest)]))
  if (removed.length > 0) print(t('backupsRemoved', { names: removed.join(', ') }))
  if (deleted > 0) print(t('deletedDuringBackup', { count: deleted }))
  if (missing > 0) {
    printError(t('missingInBackup', { count: missing }))
    process.exitCode = exitCodes.failed
  }
  if (damaged > 0) printError(t('damagedInBackup', { count: damaged }))
}

async function reportDenied(count: number, config: Config): Promise<void> {
  printError(t('deniedInBackup', { count }))
  const unusable = await findUnusableMedia(config)
  if (unusable !== null) printError(t('giveRightsAndRepeat', { problem: unusable.text }), `  ${unusable.line}`)
  process.exitCode = exitCodes.failed
}

const secretTexts = {
  encrypted: 'secretsEncrypted',
  plain: 'secretsPlain',
  none: 'secretsNone',
} as const

export type RestoreCommandOptions = ProgressOptions & { backup?: string; withoutSecrets?: boolean }

export const restoreInstance = (folder: string, options: RestoreCommandOptions): Promise<void> =>
  reportErrors(formatBackupError, async () => {
    const config = readCommandConfig()
    const { dataDir } = config
    const bar = createProgressBar('unitFiles', options)
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
  const { version, files } = manifest
  print(t('restoring', { path, version, count: files.count, dataDir: config.dataDir }))
  if (files.missing > 0) printError(t('missingBefore', { count: files.missing }))
  if (files.damaged > 0) printError(t('damagedBefore', { count: files.damaged }))
  if (lost.length > 0) printError(t('lostInBackup', { count: lost.length }))
  const missingSecrets = await describeMissingSecrets(
    config,
    manifest.encryption_key_id,
    secrets?.encryptionKey ?? null,
  )
  if (missingSecrets) printError(missingSecrets)
}

function printRestored({ path, files, unreadable }: RestoreResult): void {
  print(t('restored', { path, count: files }))
  if (unreadable.length === 0) return
  printError(t('unreadableInBackup', { count: unreadable.length }))
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
  return t(configuredKeys.length === 0 ? 'keyMissing' : 'keyDiffers')
}

export type VerifyCommandOptions = ProgressOptions & { backup?: string; scratch: string }

export const verifyInstanceBackup = (folder: string, options: VerifyCommandOptions): Promise<void> =>
  reportErrors(formatBackupError, async () => {
    const config = readCommandConfig()
    const bar = createProgressBar('unitFiles', options)
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
  printError(t('verificationUnrecorded'))
}

function printVerification({ path, manifest, files, problemCount, problems }: VerificationResult): void {
  for (const problem of problems) printError(problem)
  if (problemCount > problems.length) printError(t('andMore', { count: problemCount - problems.length }))
  const { missing, damaged } = manifest.files
  if (missing + damaged > 0) {
    const counts = { missing: t('wereMissing', { count: missing }), damaged: t('wereDamaged', { count: damaged }) }
    print(t('incompleteBackup', counts))
  }
  if (problemCount > 0) process.exitCode = 1
  else print(t('restorable', { path, count: files }))
}

/** System errors whose message is clear enough for the operator. */
const systemErrorCodes = ['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EDQUOT', 'SQLITE_FULL']

const expectedErrors = [BackupProblem, StorageUnavailable, DatabaseUnavailable, DatabaseNotEmpty, CopyMismatch]

function formatBackupError(error: Error & { code?: string }): string | null {
  if (error instanceof StorageFull) return t('diskFull')
  const isExpected = expectedErrors.some((kind) => error instanceof kind)
  return isExpected || systemErrorCodes.includes(error.code ?? '') ? error.message : null
}
