import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getWebhook } from './list-webhooks.ts'

/** By one statement, so that no operation waits long behind it. */
const maxConcurrent = 1000

/** All of its deliveries go with it, those that wait included. Throws NOT_FOUND. */
export async function deleteWebhook({ db, changes }: PlatformContext, id: number): Promise<void> {
  await getWebhook(db, id)
  // Nothing more is queued or sent meanwhile. What a crash leaves is switched off, and can be deleted again.
  await db.updateTable('webhooks').set({ active: 0 }).where('id', '=', id).execute()
  while ((await removeSome(db, id)) === maxConcurrent) {}
  // Alone: an operation beside it could still be announcing to it.
  const { numDeletedRows } = await inTransaction(db, 'everything', (tx) =>
    tx.deleteFrom('webhooks').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  if (numDeletedRows === 0n) throw new AppError('NOT_FOUND')
  changes.tell('delivery', id)
}

async function removeSome(db: Database, webhookId: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (delivery) =>
      delivery.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhookId).limit(maxConcurrent),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
