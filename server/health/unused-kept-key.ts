import { countOtherNodes } from '../platform/database/running-nodes.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type EncryptedColumn, usesKey } from '../platform/security/encrypted-columns.ts'
import { computeKeyId } from '../platform/security/encryption.ts'
import { deleteKeptKey, readKeptKey } from '../platform/security/secrets.ts'
import { allEncrypted } from './all-encrypted.ts'

/**
 * Deletes the generated encryption key in the database if `ENCRYPTION_KEY` is another key and no value uses the
 * generated one, so that the variable is not set to it by mistake. Keeps a key that another node may still use and that
 * is nowhere else. Returns whether a key was deleted.
 */
export async function deleteUnusedKeptKey(ctx: PlatformContext): Promise<boolean> {
  const { config, database, db } = ctx
  if (database.kind === 'sqlite' || config.encryptionKey === null) return false
  const kept = await readKeptKey(db)
  if (kept === null || kept === config.encryptionKey) return false
  if (kept !== config.encryptionKeyOld && (await countOtherNodes(db, database.node)) > 0) return false
  if (await isInUse(allEncrypted(ctx), computeKeyId(kept))) return false
  await deleteKeptKey(db, kept)
  return true
}

async function isInUse(columns: readonly EncryptedColumn[], keyId: string): Promise<boolean> {
  for (const column of columns) if (await usesKey(column, keyId)) return true
  return false
}
