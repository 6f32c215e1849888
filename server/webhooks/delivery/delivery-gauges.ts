import { sql } from 'kysely'
import { inSnapshot } from '../../platform/database/transaction.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { countOverdue } from './overdue-deliveries.ts'
import type { Verdict } from './receiver-limits.ts'

export function addDeliveryGauges(ctx: AppContext, running: () => number): { count: (verdict: Verdict) => void } {
  const counts: Record<Verdict, number> = { succeeded: 0, failed: 0 }
  const counter = (verdict: Verdict, help: string) => ({
    name: `proofroom_webhook_attempts_${verdict}_total`,
    help,
    type: 'counter' as const,
    read: () => counts[verdict],
  })
  const gauge = (name: string, help: string, read: () => number | Promise<number>) => ({
    name: `proofroom_webhook_${name}`,
    help,
    type: 'gauge' as const,
    read,
  })
  ctx.gauges.add(
    counter('succeeded', 'Attempts of this process that a receiver answered with 2xx.'),
    counter('failed', 'Attempts of this process that failed.'),
    gauge('attempts_under_way', 'Attempts of this process that are under way.', running),
    gauge('deliveries_pending', 'Deliveries that are still to be made.', () => countPending(ctx)),
    gauge(
      'deliveries_overdue',
      'Deliveries that should have left more than 5 minutes ago, to receivers that answer.',
      () => inSnapshot(ctx.db, (tx) => countOverdue(tx, ctx.clock.now())),
    ),
    gauge('receivers_failing', 'Active webhooks whose last attempt failed.', () => countFailing(ctx)),
  )
  return {
    count(verdict) {
      counts[verdict]++
    },
  }
}

/** Reads in a transaction, so that scraping an idle service does not wake its reader thread. */
const countPending = ({ db }: AppContext): Promise<number> =>
  inSnapshot(db, async (tx) => {
    const { count } = await tx
      .selectFrom('webhook_deliveries')
      .select(sql<number>`count(*)`.as('count'))
      .where('next_attempt_at', 'is not', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  })

const countFailing = ({ db }: AppContext): Promise<number> =>
  inSnapshot(db, async (tx) => {
    const { count } = await tx
      .selectFrom('webhooks')
      .select(sql<number>`count(*)`.as('count'))
      .where('active', '=', 1)
      .where('consecutive_failures', '>', 0)
      .executeTakeFirstOrThrow()
    return Number(count)
  })
