import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getWebhook } from './list-webhooks.ts'

/** Per statement, so that no other operation waits long for the lock. */
const batchSize = 1000

/** Deletes pending deliveries too. Throws NOT_FOUND. */
export async function deleteWebhook({ db, changes }: PlatformContext, id: number): Promise<void> {
  await getWebhook(db, id)
  // An inactive webhook gets and sends no deliveries. After a crash it stays inactive.
  await db.updateTable('webhooks').set({ active: 0 }).where('id', '=', id).execute()
  while ((await deleteDeliveryBatch(db, id)) === batchSize) {}
  // The lock is for everything, because a concurrent operation could still queue a delivery.
  const { numDeletedRows } = await inTransaction(db, 'everything', (tx) =>
    tx.deleteFrom('webhooks').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  if (numDeletedRows === 0n) throw new AppError('NOT_FOUND')
  changes.notify('delivery', id)
}

async function deleteDeliveryBatch(db: Database, webhookId: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (delivery) =>
      delivery.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhookId).limit(batchSize),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
