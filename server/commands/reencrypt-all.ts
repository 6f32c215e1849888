import { allEncrypted } from '../health/all-encrypted.ts'
import { type ReencryptedColumn, reencryptColumn } from '../platform/encrypted-columns.ts'
import type { AppContext } from '../settings/app-context.ts'

/** Can be interrupted and repeated. Values that use the current key are not changed. */
export async function reencryptAll(ctx: AppContext): Promise<void> {
  const results: ReencryptedColumn[] = []
  for (const column of allEncrypted(ctx)) results.push(await reencryptColumn(ctx, column))
  for (const { name, count } of results) console.log(`${count} ${name} encrypted anew.`)

  const unreadable = results.filter(({ unreadableIds }) => unreadableIds.length > 0)
  if (unreadable.length === 0) {
    console.log('All is under the present key: ENCRYPTION_KEY_OLD is no longer needed.')
    return
  }
  for (const { name, unreadableIds } of unreadable) {
    console.error(`${unreadableIds.length} ${name} open with neither key: ${unreadableIds.slice(0, 20).join(', ')}`)
  }
  console.error('Set ENCRYPTION_KEY_OLD to the key that they were encrypted with, and run this again.')
  process.exitCode = 1
}
