import type { ChangeWebhookBody } from '../../contract/webhooks.ts'
import { invalidField } from '../platform/app-error.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getWebhook } from './list-webhooks.ts'
import { assertWebhook, webhookColumns } from './webhook-fields.ts'
import type { WebhookRow } from './webhook-rows.ts'

/** Pending deliveries go to the new address. Throws NOT_FOUND or VALIDATION_ERROR. */
export async function changeWebhook(
  ctx: PlatformContext,
  id: number,
  { secret, ...fields }: ChangeWebhookBody,
): Promise<WebhookRow> {
  const { db, clock, changes } = ctx
  await getWebhook(db, id)
  if (secret !== undefined) {
    throw invalidField('secret', 'A secret cannot be changed: delete the webhook and create it again.')
  }
  await assertWebhook(ctx, fields)
  const columns = webhookColumns(fields)

  const changed = await inTransaction(db, 'everything', async (tx) => {
    const row = await getWebhook(tx, id)
    if (Object.keys(columns).length === 0) return row
    // Another address is another receiver, so its count of failures starts at 0.
    const isMoved = columns.url !== undefined && columns.url !== row.url
    return tx
      .updateTable('webhooks')
      .set({ ...columns, ...(isMoved && { consecutive_failures: 0 }), updated_at: clock.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  changes.notify('delivery', id)
  return changed
}
