import { readKeptSecrets } from '../backups/kept-secrets.ts'
import { type Restored, type RestoreOptions, restoreBackup } from '../backups/restore-backup.ts'
import { placeOfDatabase } from '../create-app-context.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Config } from '../platform/config.ts'
import { keyIdOf } from '../platform/encryption.ts'
import { openStorage } from '../platform/storage/open-storage.ts'

type Options = Omit<RestoreOptions, 'migrations'>

/** `secrets` explains what the operator must do about the secrets; null if nothing. */
export async function restoreInstance(
  config: Config,
  options: Options,
): Promise<Restored & { secrets: string | null }> {
  const storage = await openStorage(config)
  try {
    const target = { dataDir: config.dataDir, place: placeOfDatabase(config), storage }
    const restored = await restoreBackup(target, { ...options, migrations })
    return { ...restored, secrets: await findWhatSecretsLack(config, restored.manifest.encryption_key_id) }
  } finally {
    await storage.close()
  }
}

async function findWhatSecretsLack(config: Config, keyId: string): Promise<string | null> {
  const key = config.encryptionKey ?? (await readKeptSecrets(config.dataDir)).encryptionKey
  const known = [key, config.encryptionKeyOld].filter((one) => one !== null)
  if (known.some((one) => keyIdOf(one) === keyId)) return null
  const what = 'The secrets of webhooks and second factors were encrypted with the ENCRYPTION_KEY of that instance'
  if (known.length === 0) return `${what}: set it, and JWT_SECRET, before you start the service.`
  return `${what}, which is not the one that is set here: set it, or name it in ENCRYPTION_KEY_OLD.`
}
