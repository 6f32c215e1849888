import { runCompiled } from '../../platform/database/compile-once.ts'
import { shortRead } from '../../platform/database/short-read.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { DeliveryRow } from '../delivery-rows.ts'

export type DueWebhook = { id: number; dueAt: number; hasFailed: boolean }

export type Claims = {
  deliveries: DeliveryRow[]
  /** When the first delivery of a webhook without due deliveries becomes due; null if there is none. */
  nextDueAt: number | null
}

/** The lease of a claim is the timeout of an attempt plus this margin. */
const marginMs = seconds(20)

/** No other process attempts the returned deliveries until the lease ends. Start the attempts after the commit. */
export async function claimDeliveries(
  { clock, config }: Pick<PlatformContext, 'clock' | 'config'>,
  tx: Tx,
  share: (due: readonly DueWebhook[]) => Map<number, number>,
): Promise<Claims> {
  const now = clock.now()
  const leaseUntil = now + config.webhooks.httpTimeoutMs + marginMs
  const webhooks = await listPending(tx)
  const deliveries: DeliveryRow[] = []
  for (const [webhookId, limit] of share(webhooks.filter(({ dueAt }) => dueAt <= now))) {
    deliveries.push(...(await claimForWebhook(tx, webhookId, { now, leaseUntil, limit })))
  }
  const later = webhooks.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now)
  return { deliveries, nextDueAt: later.length > 0 ? Math.min(...later) : null }
}

/**
 * Returns the time when the first delivery becomes due, or null if there is none. It reads committed rows, so that no
 * transaction is needed if nothing is due.
 */
export const findFirstDue = async ({ db }: Pick<PlatformContext, 'db'>): Promise<number | null> =>
  (await listPending(db))[0]?.dueAt ?? null

/** Returns each webhook that has a pending delivery, sorted by `dueAt`. */
async function listPending(db: Database): Promise<DueWebhook[]> {
  const rows = await runCompiled(db, 'pending deliveries', {}, () =>
    db
      .selectFrom('webhooks')
      .select(['id', 'consecutive_failures'])
      .select((webhook) =>
        webhook
          .selectFrom('webhook_deliveries')
          .select('next_attempt_at')
          .whereRef('webhook_id', '=', 'webhooks.id')
          .where('next_attempt_at', 'is not', null)
          .orderBy('next_attempt_at')
          .limit(1)
          .as('due_at'),
      )
      .modifyEnd(shortRead),
  )
  return rows
    .flatMap(({ id, consecutive_failures, due_at }) =>
      due_at === null ? [] : [{ id, dueAt: due_at, hasFailed: consecutive_failures > 0 }],
    )
    .sort((one, other) => one.dueAt - other.dueAt)
}

type Claim = { now: number; leaseUntil: number; limit: number }

async function claimForWebhook(tx: Tx, webhookId: number, claim: Claim): Promise<DeliveryRow[]> {
  const rows = await runCompiled(tx, 'claim deliveries', { webhookId, ...claim }, (values) =>
    tx
      .updateTable('webhook_deliveries')
      .set((delivery) => ({ attempt_count: delivery('attempt_count', '+', 1), next_attempt_at: values.leaseUntil }))
      .where('id', 'in', (delivery) =>
        delivery
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '=', values.webhookId)
          .where('next_attempt_at', '<=', values.now)
          .orderBy('next_attempt_at')
          .orderBy('id')
          .limit(values.limit),
      )
      // The condition is repeated because another process may claim the rows before this update locks them.
      .where('next_attempt_at', '<=', values.now)
      .returningAll(),
  )
  return rows.sort((one, other) => one.id - other.id)
}
