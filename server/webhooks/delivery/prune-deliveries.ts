import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database, Tables } from '../../platform/database/tables.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import { days } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'

/** The maximum of rows that one statement deletes, so that no other operation waits long for the write lock. */
const batchSize = 1000

/** Deletes completed deliveries beyond the configured age, and beyond the configured count of each webhook. */
export async function pruneDeliveries({ db, clock, settings }: AppContext): Promise<void> {
  const { webhook_delivery_keep_days: keepDays, webhook_delivery_keep_count: keepCount } = await settings.values()
  const before = clock.now() - days(keepDays)
  await removeCompleted(db, (delivery) => delivery('created_at', '<', before))
  for (const webhookId of await webhookIds(db)) {
    const oldestRetained = await findOldestRetained(db, webhookId, keepCount)
    if (oldestRetained === null) continue
    await removeCompleted(db, (delivery) =>
      delivery.and([delivery('webhook_id', '=', webhookId), delivery('id', '<', oldestRetained)]),
    )
  }
}

type DeliveryFilter = (delivery: ExpressionBuilder<Tables, 'webhook_deliveries'>) => Expression<SqlBool>

async function removeCompleted(db: Database, filter: DeliveryFilter): Promise<void> {
  for (let removed = batchSize; removed === batchSize; ) {
    const some = db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('status', '<>', 'pending')
      .where(filter)
      .limit(batchSize)
    const { numDeletedRows } = await db.deleteFrom('webhook_deliveries').where('id', 'in', some).executeTakeFirst()
    removed = Number(numDeletedRows)
  }
}

/** On SQLite a read outside of a transaction would start the reader thread. */
const webhookIds = (db: Database): Promise<number[]> =>
  inSnapshot(db, async (tx) => {
    const rows = await tx.selectFrom('webhooks').select('id').execute()
    return rows.map(({ id }) => id)
  })

const findOldestRetained = (db: Database, webhookId: number, keepCount: number): Promise<number | null> =>
  inSnapshot(db, async (tx) => {
    const row = await tx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', webhookId)
      .orderBy('id', 'desc')
      .offset(keepCount - 1)
      .limit(1)
      .executeTakeFirst()
    return row?.id ?? null
  })
