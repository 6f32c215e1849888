import { sql } from 'kysely'
import { minutes } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'

const overdueAfterMs = minutes(5)

/** Counts deliveries due for more than 5 minutes, except to failing receivers, which get one attempt at a time. */
export async function countOverdue(db: Database | Tx, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks')
    .innerJoin('webhook_deliveries', 'webhook_deliveries.webhook_id', 'webhooks.id')
    .select(sql<number>`count(*)`.as('count'))
    .where('consecutive_failures', '=', 0)
    .where('next_attempt_at', '<', now - overdueAfterMs)
    .executeTakeFirstOrThrow()
  return Number(count)
}
