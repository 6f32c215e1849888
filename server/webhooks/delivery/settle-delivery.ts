import type { CompiledQuery } from 'kysely'
import { compileOnce, runCompiled, runTogether } from '../../platform/database/compile-once.ts'
import type { Tx } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import type { DeliveryRow } from '../delivery-rows.ts'
import type { Attempt } from './deliver.ts'
import { isFailure, isSuccess, type Outcome, stateAfter } from './delivery-schedule.ts'

type SettleContext = Pick<PlatformContext, 'clock' | 'config'>

/** Runs in the transaction that stores that a receiver has accepted a delivery. */
export type OnDelivered = (tx: Tx, delivery: DeliveryRow, now: number) => Promise<void>

/** Stores the results of all attempts in the transaction `tx`, so that they need only one commit. */
export async function settleDeliveries(
  ctx: SettleContext,
  tx: Tx,
  attempts: readonly Attempt[],
  onDelivered: OnDelivered,
): Promise<void> {
  if (attempts.length === 0) return
  const now = ctx.clock.now()
  const stored = await runTogether(
    tx,
    attempts.map((attempt) => settleQuery(ctx, tx, attempt)),
  )
  for (const [index, { delivery, outcome }] of attempts.entries()) {
    if (stored[index]?.length && isSuccess(outcome)) await onDelivered(tx, delivery, now)
  }
  const webhookOutcomes = attempts.map(({ delivery, outcome }) => ({ webhookId: delivery.webhook_id, outcome }))
  await recordOutcomes(tx, webhookOutcomes, now)
}

/** Returns no row if the delivery is no longer pending, or has been claimed again after its lease ended. */
function settleQuery(
  { clock, config }: SettleContext,
  tx: Tx,
  { delivery, outcome, headers }: Attempt,
): CompiledQuery<{ id: number }> {
  const { id: deliveryId, attempt_count: attempts } = delivery
  const { maxAttempts } = config.webhooks
  const state = stateAfter(outcome, { attempts, maxAttempts, now: clock.now() })
  const columns = { ...exchangeColumns(outcome, headers), ...state }
  const values = { ...columns, deliveryId, attempts }
  return compileOnce(tx, `settle ${Object.keys(columns)}`, values, ({ deliveryId, attempts, ...columns }) =>
    tx
      .updateTable('webhook_deliveries')
      .set(columns)
      .where('id', '=', deliveryId)
      .where('attempt_count', '=', attempts)
      .where('status', '=', 'pending')
      .returning('id'),
  )
}

/** After an aborted attempt, or for an inactive webhook, the request and response of the previous attempt stay. */
function exchangeColumns(outcome: Outcome, headers: Attempt['headers']) {
  if (outcome.result === 'put-back' || outcome.result === 'inactive') return {}
  const request_headers = headers && JSON.stringify(headers)
  if (outcome.result === 'answered') {
    const { status, body, latencyMs } = outcome.response
    return { request_headers, response_status: status, response_body: body, latency_ms: Math.round(latencyMs) }
  }
  const latency_ms = outcome.result === 'unanswered' ? outcome.latencyMs : null
  return { request_headers, response_status: null, response_body: null, latency_ms }
}

/** `webhookOutcomes` is in the order of the attempts. */
export async function recordOutcomes(
  tx: Tx,
  webhookOutcomes: ReadonlyArray<{ webhookId: number; outcome: Outcome }>,
  now: number,
): Promise<void> {
  // Updates in the order of the ids prevent deadlocks.
  const byWebhook = [...Map.groupBy(webhookOutcomes, ({ webhookId }) => webhookId)].sort(
    ([one], [other]) => one - other,
  )
  for (const [webhookId, group] of byWebhook) {
    const outcomes = group.map(({ outcome }) => outcome)
    await recordOutcomesOf(tx, webhookId, outcomes, now)
  }
}

async function recordOutcomesOf(tx: Tx, webhookId: number, outcomes: Outcome[], now: number): Promise<void> {
  const lastSuccess = outcomes.findLastIndex(isSuccess)
  const failures = outcomes.slice(lastSuccess + 1).filter(isFailure).length
  const hasFailed = outcomes.some(isFailure)
  if (lastSuccess === -1 && !hasFailed) return
  const isRecovered = lastSuccess !== -1
  await runCompiled(tx, `outcomes ${isRecovered} ${hasFailed}`, { webhookId, failures, now }, (values) =>
    tx
      .updateTable('webhooks')
      .set((webhook) => ({
        ...(isRecovered ? { last_success_at: values.now } : {}),
        ...(hasFailed ? { last_failure_at: values.now } : {}),
        consecutive_failures: isRecovered ? values.failures : webhook('consecutive_failures', '+', values.failures),
      }))
      .where('id', '=', values.webhookId),
  )
}
