import { allEncrypted } from '../health/all-encrypted.ts'
import { deleteUnusedKeptKey } from '../health/unused-kept-key.ts'
import { type ReencryptedColumn, reencryptColumn } from '../platform/security/encrypted-columns.ts'
import type { AppContext } from '../settings/app-context.ts'
import { print, printError } from './print.ts'

/**
 * Can be interrupted and repeated. Values that use the current key are not changed. Also deletes a generated key in the
 * database that no value uses any more.
 */
export async function reencryptAll(ctx: AppContext): Promise<void> {
  const results: ReencryptedColumn[] = []
  for (const column of allEncrypted(ctx)) results.push(await reencryptColumn(ctx, column))
  for (const { name, count } of results) print(`${count} ${name} re-encrypted.`)

  if (await deleteUnusedKeptKey(ctx)) {
    print('The previous key was deleted from the table kept_secrets. Keep it for backups from before.')
  }
  const unreadable = results.filter(({ unreadableIds }) => unreadableIds.length > 0)
  if (unreadable.length === 0) {
    print('All values use the current key. ENCRYPTION_KEY_OLD is no longer needed.')
    return
  }
  for (const { name, unreadableIds } of unreadable) {
    printError(`Neither key decrypts ${unreadableIds.length} ${name}: ${unreadableIds.slice(0, 20).join(', ')}`)
  }
  printError('Set ENCRYPTION_KEY_OLD to the key that encrypted them, then run this command again.')
  process.exitCode = 1
}
