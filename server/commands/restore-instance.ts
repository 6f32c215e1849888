import { type RestoreOptions, type RestoreResult, restoreBackup } from '../backups/restore-backup.ts'
import { readStoredSecrets } from '../backups/stored-secrets.ts'
import { databaseLocation } from '../create-app-context.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Config } from '../platform/config.ts'
import { computeKeyId } from '../platform/encryption.ts'
import { openStorage } from '../platform/storage/open-storage.ts'

type Options = Omit<RestoreOptions, 'migrations'>

/** `secrets` explains what the operator must do about the secrets; null if nothing. */
export async function restoreInstance(
  config: Config,
  options: Options,
): Promise<RestoreResult & { secrets: string | null }> {
  const storage = await openStorage(config)
  try {
    const target = { dataDir: config.dataDir, place: databaseLocation(config), storage }
    const restored = await restoreBackup(target, { ...options, migrations })
    return { ...restored, secrets: await describeMissingSecrets(config, restored.manifest.encryption_key_id) }
  } finally {
    await storage.close()
  }
}

async function describeMissingSecrets(config: Config, keyId: string): Promise<string | null> {
  const key = config.encryptionKey ?? (await readStoredSecrets(config.dataDir)).encryptionKey
  const configuredKeys = [key, config.encryptionKeyOld].filter((one) => one !== null)
  if (configuredKeys.some((one) => computeKeyId(one) === keyId)) return null
  const what = 'The secrets of webhooks and second factors were encrypted with the ENCRYPTION_KEY of that instance'
  if (configuredKeys.length === 0) return `${what}: set it, and JWT_SECRET, before you start the service.`
  return `${what}, which is not the one that is set here: set it, or name it in ENCRYPTION_KEY_OLD.`
}
