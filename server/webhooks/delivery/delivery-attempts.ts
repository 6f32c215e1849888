import { seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { DeliveryRow } from '../delivery-rows.ts'
import { createReceiverClient } from '../receivers/post-to-receiver.ts'
import type { DueWebhook } from './claim-deliveries.ts'
import { type Attempt, deliver } from './deliver.ts'
import { addDeliveryGauges } from './delivery-gauges.ts'
import { failureReason, isFailure, isSuccess, type Outcome } from './delivery-schedule.ts'
import { type AttemptSlot, ReceiverLimits, type Verdict } from './receiver-limits.ts'

/** An attempt that takes longer releases its slot. Most receivers have responded by then. */
const slowAfterMs = 250

export type DeliveryAttempts = ReturnType<typeof createDeliveryAttempts>

/** Runs the delivery attempts of this process. Calls `onChange` when an attempt has ended or has released its slot. */
export function createDeliveryAttempts(ctx: AppContext, onChange: () => void) {
  const receiverClient = createReceiverClient(ctx)
  const receiverLimits = new ReceiverLimits(ctx.config.webhooks.concurrency)
  const running = new Set<Promise<void>>()
  const outcomeCounter = addDeliveryGauges(ctx, () => running.size)
  const stopController = new AbortController()
  let completed: Attempt[] = []

  function begin(delivery: DeliveryRow): void {
    const slot = receiverLimits.begin(delivery.webhook_id)
    const slowTimer = setTimeout(() => {
      slot.release()
      onChange()
    }, slowAfterMs)
    const runningAttempt = attempt(delivery, slot).finally(() => {
      clearTimeout(slowTimer)
      running.delete(runningAttempt)
      onChange()
    })
    running.add(runningAttempt)
  }

  async function attempt(delivery: DeliveryRow, slot: AttemptSlot): Promise<void> {
    const attempt = await deliver(ctx, receiverClient, delivery, stopController.signal).catch((err) => {
      ctx.log.error({ err, delivery: delivery.id }, 'A delivery attempt failed unexpectedly')
      return toFailedAttempt(delivery)
    })
    const verdict = attempt && toVerdict(attempt.outcome)
    const { hasStartedFailing } = slot.end(verdict)
    if (attempt) completed.push(attempt)
    if (verdict) outcomeCounter.count(verdict)
    if (hasStartedFailing && attempt) logFirstFailure(attempt)
  }

  /** Later failures in a row are not logged, because each delivery stores its own reason. */
  function logFirstFailure({ delivery, outcome }: Attempt): void {
    const facts = { webhook: delivery.webhook_id, delivery: delivery.id, reason: failureReason(outcome) }
    ctx.log.warn(facts, 'The receiver of a webhook started to fail')
  }

  return {
    /** How many attempts may start now for each due webhook. */
    share: (due: readonly DueWebhook[]) => receiverLimits.share(due),
    begin: (deliveries: readonly DeliveryRow[]) => deliveries.forEach(begin),
    /** Returns the attempts that have ended since the last call, to be stored. */
    takeCompleted(): Attempt[] {
      const attempts = completed
      completed = []
      return attempts
    },
    returnCompleted: (attempts: readonly Attempt[]) => void completed.unshift(...attempts),
    /** Aborts running attempts after the grace period. Resolves when none is running and all connections are closed. */
    async end(graceSeconds: number): Promise<void> {
      const abortTimer = setTimeout(() => stopController.abort(), seconds(graceSeconds))
      await Promise.all(running)
      clearTimeout(abortTimer)
      await receiverClient.close()
    },
  }
}

/** For an unexpected error of this program. The delivery is retried as after any other failure. */
const toFailedAttempt = (delivery: DeliveryRow): Attempt => ({
  delivery,
  outcome: { result: 'unanswered', reason: 'The delivery could not be sent. See the log.', latencyMs: null },
  headers: null,
})

function toVerdict(outcome: Outcome): Verdict | null {
  if (isSuccess(outcome)) return 'succeeded'
  return isFailure(outcome) ? 'failed' : null
}
