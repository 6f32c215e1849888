import type { Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Attempt } from './deliver.ts'
import { isFailure, isSuccess, type Outcome, stateAfter } from './delivery-schedule.ts'

type Terms = Pick<PlatformContext, 'clock' | 'config'>

/** Uses one transaction, because under load the commit costs more than the rows. */
export async function settleDeliveries(terms: Terms, tx: Tx, attempts: readonly Attempt[]): Promise<void> {
  for (const attempt of attempts) await settleDelivery(terms, tx, attempt)
  const made = attempts.map(({ delivery, outcome }) => ({ webhookId: delivery.webhook_id, outcome }))
  await noteOutcomes(tx, made, terms.clock.now())
}

/** Writes only while this process holds the claim. */
async function settleDelivery({ clock, config }: Terms, tx: Tx, attempt: Attempt): Promise<void> {
  const { delivery, outcome, headers } = attempt
  const { id, attempt_count: attempts } = delivery
  const { maxAttempts } = config.webhooks
  await tx
    .updateTable('webhook_deliveries')
    .set({ ...exchangeOf(outcome, headers), ...stateAfter(outcome, { attempts, maxAttempts, now: clock.now() }) })
    .where('id', '=', id)
    .where('attempt_count', '=', attempts)
    .where('status', '=', 'pending')
    .execute()
}

/** If nothing was sent, the columns of the previous attempt stay. */
function exchangeOf(outcome: Outcome, headers: Attempt['headers']) {
  if (outcome.result === 'put-back' || outcome.result === 'inactive') return {}
  const request_headers = headers && JSON.stringify(headers)
  if (outcome.result === 'answered') {
    const { status, body, latencyMs } = outcome.posted
    return { request_headers, response_status: status, response_body: body, latency_ms: Math.round(latencyMs) }
  }
  const latency_ms = outcome.result === 'unanswered' ? outcome.latencyMs : null
  return { request_headers, response_status: null, response_body: null, latency_ms }
}

/** `webhookOutcomes` is in the order of the attempts. */
export async function noteOutcomes(
  tx: Tx,
  made: ReadonlyArray<{ webhookId: number; outcome: Outcome }>,
  now: number,
): Promise<void> {
  // The same order everywhere prevents deadlocks.
  const byWebhook = [...Map.groupBy(made, ({ webhookId }) => webhookId)].sort(([one], [other]) => one - other)
  for (const [webhookId, ofWebhook] of byWebhook) {
    const outcomes = ofWebhook.map(({ outcome }) => outcome)
    await noteOutcomesOf(tx, webhookId, outcomes, now)
  }
}

async function noteOutcomesOf(tx: Tx, webhookId: number, outcomes: Outcome[], now: number): Promise<void> {
  const lastSuccess = outcomes.findLastIndex(isSuccess)
  const failures = outcomes.slice(lastSuccess + 1).filter(isFailure).length
  const hasFailed = outcomes.some(isFailure)
  if (lastSuccess === -1 && !hasFailed) return
  await tx
    .updateTable('webhooks')
    .set((webhook) => ({
      ...(lastSuccess === -1 ? {} : { last_success_at: now }),
      ...(hasFailed ? { last_failure_at: now } : {}),
      consecutive_failures: lastSuccess === -1 ? webhook('consecutive_failures', '+', failures) : failures,
    }))
    .where('id', '=', webhookId)
    .execute()
}
