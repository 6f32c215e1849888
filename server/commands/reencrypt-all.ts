import { must } from '../../contract/must.ts'
import type { MessageKey } from '../../locales/catalogs.ts'
import { allEncrypted } from '../health/all-encrypted.ts'
import { deleteUnusedKeptKey } from '../health/unused-kept-key.ts'
import { type ReencryptedColumn, reencryptColumn } from '../platform/security/encrypted-columns.ts'
import { t } from '../platform/text/command-messages.ts'
import type { AppContext } from '../settings/app-context.ts'
import { print, printError } from './print.ts'

const encryptedColumnKeys: Record<string, MessageKey<'commands'>> = {
  'webhook secrets': 'encryptedWebhookSecrets',
  'second factors': 'encryptedSecondFactors',
  'gallery passwords': 'encryptedGalleryPasswords',
  'credentials in queued mails': 'encryptedMailCredentials',
  'mail server passwords': 'encryptedMailServerPasswords',
}

const countValues = (column: string, count: number): string =>
  t(must(encryptedColumnKeys[column], 'message of the column'), { count })

/**
 * Can be interrupted and repeated. Values that use the current key are not changed. Also deletes a generated key in the
 * database that no value uses any more.
 */
export async function reencryptAll(ctx: AppContext): Promise<void> {
  const results: ReencryptedColumn[] = []
  for (const column of allEncrypted(ctx)) results.push(await reencryptColumn(ctx, column))
  for (const { name, count } of results) print(t('reencrypted', { values: countValues(name, count) }))

  if (await deleteUnusedKeptKey(ctx)) {
    print(t('keptKeyDeleted'))
  }
  const unreadable = results.filter(({ unreadableIds }) => unreadableIds.length > 0)
  if (unreadable.length === 0) {
    print(t('allReencrypted'))
    return
  }
  for (const { name, unreadableIds } of unreadable) {
    const values = countValues(name, unreadableIds.length)
    printError(t('notDecrypted', { values, ids: unreadableIds.slice(0, 20).join(', ') }))
  }
  printError(t('notDecryptedFix'))
  process.exitCode = 1
}
