import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tables, Tx } from '../../platform/database/tables.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import { minutes } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { Verdict } from './receiver-limits.ts'

export function addDeliveryGauges(ctx: AppContext, running: () => number): { count: (verdict: Verdict) => void } {
  const counts: Record<Verdict, number> = { succeeded: 0, failed: 0 }
  const gauge = (name: string, help: string, read: () => number | Promise<number>) => {
    const type = name.endsWith('_total') ? ('counter' as const) : ('gauge' as const)
    return { name: `proofroom_webhook_${name}`, help, type, read }
  }
  ctx.gauges.add(
    gauge(
      'attempts_succeeded_total',
      'Attempts of this process that succeeded with a 2xx response.',
      () => counts.succeeded,
    ),
    gauge('attempts_failed_total', 'Attempts of this process that failed.', () => counts.failed),
    gauge('attempts_under_way', 'Attempts of this process that are running.', running),
    gauge('deliveries_pending', 'Deliveries that are queued or waiting for a retry.', () => countPending(ctx)),
    gauge('deliveries_overdue', 'Deliveries more than 5 minutes overdue, without those to failing receivers.', () =>
      inSnapshot(ctx.db, (tx) => countOverdue(tx, ctx.clock.now())),
    ),
    gauge('receivers_failing', 'Active webhooks whose last attempt failed.', () => countFailing(ctx)),
  )
  return {
    count: (verdict) => void counts[verdict]++,
  }
}

/** On SQLite a read outside of a transaction would start the reader thread at each scrape. */
const countPending = ({ db }: AppContext): Promise<number> =>
  inSnapshot(db, (tx) => readCount(tx.selectFrom('webhook_deliveries').where('next_attempt_at', 'is not', null)))

const countFailing = ({ db }: AppContext): Promise<number> =>
  inSnapshot(db, (tx) =>
    readCount(tx.selectFrom('webhooks').where('active', '=', 1).where('consecutive_failures', '>', 0)),
  )

const overdueAfterMs = minutes(5)

/**
 * Counts deliveries due for more than 5 minutes. Failing receivers are not counted, because they get one attempt at a
 * time, so their deliveries wait.
 */
export const countOverdue = (db: Database | Tx, now: number): Promise<number> =>
  readCount(
    db
      .selectFrom('webhooks')
      .innerJoin('webhook_deliveries', 'webhook_deliveries.webhook_id', 'webhooks.id')
      .where('consecutive_failures', '=', 0)
      .where('next_attempt_at', '<', now - overdueAfterMs),
  )

async function readCount<T extends keyof Tables>(rows: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const { count } = await rows.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(count)
}
