import { createFailureLog } from '../../platform/background/failure-log.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { type Claims, claimDeliveries, findFirstDue } from './claim-deliveries.ts'
import { createDeliveryAttempts, type DeliveryAttempts } from './delivery-attempts.ts'
import { type OnDelivered, settleDeliveries } from './settle-delivery.ts'

/** Maximum time between two checks of the queue without a notification. */
const pollIntervalMs = seconds(30)

const errorPauseMs = seconds(1)

const noClaims: Claims = { deliveries: [], nextDueAt: null }

export function startWebhookDelivery(ctx: AppContext, onDelivered: OnDelivered) {
  const { changes, log } = ctx
  const failures = createFailureLog(log, 'Could not read or store webhook deliveries')
  const attempts = createDeliveryAttempts(ctx, wake)
  let isStopping = false
  let isCheckPending = false
  let checking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  async function checkQueue(): Promise<number> {
    let nextCheckMs = pollIntervalMs
    while (isCheckPending) {
      isCheckPending = false
      nextCheckMs = await storeAndClaim(ctx, attempts, { isStopping: () => isStopping, onDelivered })
      failures.succeeded()
    }
    return nextCheckMs
  }

  function wake(): void {
    isCheckPending = true
    if (checking) return
    clearTimeout(timer)
    checking = checkQueue()
      .catch((err) => {
        failures.failed(err)
        isCheckPending = false
        return errorPauseMs
      })
      .then((nextCheckMs) => {
        checking = null
        if (!isStopping) timer = setTimeout(wake, isCheckPending ? 0 : nextCheckMs).unref()
      })
  }

  changes.on('delivery', wake)
  wake()

  return {
    /** Aborts running attempts after the grace period; their deliveries stay pending. */
    async stop(graceSeconds: number): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      await checking
      await attempts.end(graceSeconds)
      await checking
      await storeAndClaim(ctx, attempts, { isStopping: () => isStopping, onDelivered }).catch((err) =>
        log.error({ err }, 'Could not store the outcomes of the last deliveries'),
      )
    },
  }
}

/** Stores completed attempts, and claims and starts new ones. Returns the result of `toPause`. */
async function storeAndClaim(
  ctx: AppContext,
  attempts: DeliveryAttempts,
  { isStopping, onDelivered }: { isStopping: () => boolean; onDelivered: OnDelivered },
): Promise<number> {
  const completed = attempts.takeCompleted()
  if (completed.length === 0) {
    const firstDue = isStopping() ? null : await findFirstDue(ctx)
    if (firstDue === null || firstDue > ctx.clock.now()) return toPause(ctx, firstDue)
  }
  const transaction = inTransaction(ctx.db, 'work deliveries', async (tx) => {
    await settleDeliveries(ctx, tx, completed, onDelivered)
    return isStopping() ? noClaims : claimDeliveries(ctx, tx, attempts.share)
  })
  const { deliveries, nextDueAt } = await transaction.catch((error) => {
    attempts.returnCompleted(completed)
    throw error
  })
  // Each attempt calls `wake` when it ends or releases its slot.
  attempts.begin(deliveries)
  return toPause(ctx, nextDueAt)
}

/** Returns the milliseconds until the next check. */
const toPause = ({ clock }: AppContext, nextDueAt: number | null): number =>
  nextDueAt === null ? pollIntervalMs : Math.min(pollIntervalMs, Math.max(1, nextDueAt - clock.now()))
