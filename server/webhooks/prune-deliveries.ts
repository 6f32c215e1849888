import { days } from '../platform/clock.ts'
import type { Database } from '../platform/database/tables.ts'
import type { House } from '../settings/house.ts'

/** By one statement, so that no deed waits long behind it. */
const mostAtOnce = 1000

/** Forgets deliveries that are older than the settings say, and what is too much of one webhook. Never what is pending. */
export async function pruneDeliveries({ db, clock, settings }: House): Promise<void> {
  const { webhook_delivery_keep_days: keepDays, webhook_delivery_keep_count: keepCount } = await settings.values()
  const before = clock.now() - days(keepDays)
  await untilNone(() => removeOlder(db, before))
  for (const webhookId of await webhookIds(db)) {
    const oldestKept = await oldestToKeep(db, webhookId, keepCount)
    if (oldestKept !== null) await untilNone(() => removeBefore(db, webhookId, oldestKept))
  }
}

async function untilNone(remove: () => Promise<bigint>): Promise<void> {
  while ((await remove()) === BigInt(mostAtOnce)) {}
}

async function removeOlder(db: Database, before: number): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (delivery) =>
      delivery
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('created_at', '<', before)
        .where('status', '<>', 'pending')
        .limit(mostAtOnce),
    )
    .executeTakeFirst()
  return numDeletedRows
}

async function removeBefore(db: Database, webhookId: number, oldestKept: number): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (delivery) =>
      delivery
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where('id', '<', oldestKept)
        .where('status', '<>', 'pending')
        .limit(mostAtOnce),
    )
    .executeTakeFirst()
  return numDeletedRows
}

/** In transactions, so that background work on a quiet service need not wake its reader for it. */
const webhookIds = (db: Database): Promise<number[]> =>
  db.transaction().execute(async (tx) => {
    const rows = await tx.selectFrom('webhooks').select('id').execute()
    return rows.map(({ id }) => id)
  })

const oldestToKeep = (db: Database, webhookId: number, keepCount: number): Promise<number | null> =>
  db.transaction().execute(async (tx) => {
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
