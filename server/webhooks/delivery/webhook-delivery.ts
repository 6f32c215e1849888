import { createFailureLog } from '../../platform/background/failure-log.ts'
import { seconds } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { type Claims, claimDeliveries } from './claim-deliveries.ts'
import { createDeliveryAttempts } from './delivery-attempts.ts'
import { settleDeliveries } from './settle-delivery.ts'

/** How often the queue is checked for deliveries of other processes. */
const pollIntervalMs = seconds(30)

/** After a failure of the database. */
const errorPauseMs = seconds(1)

const noClaims: Claims = { deliveries: [], nextDueAt: null }

export type WebhookDelivery = {
  /** Aborts running attempts after the grace period; their deliveries stay pending. */
  stop: (graceSeconds: number) => Promise<void>
}

/** Sends queued deliveries after a notification or when they are due. */
export function startWebhookDelivery(ctx: AppContext): WebhookDelivery {
  const { changes, clock, db, log } = ctx
  const failures = createFailureLog(log, 'The deliveries of webhooks could not be read or stored')
  const attempts = createDeliveryAttempts(ctx, wake)
  let isStopping = false
  let isCheckPending = false
  let checking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  /** Returns the milliseconds until the next check. */
  async function checkQueue(): Promise<number> {
    let nextCheckMs = pollIntervalMs
    while (isCheckPending) {
      isCheckPending = false
      nextCheckMs = await storeAndClaim()
      failures.succeeded()
    }
    return nextCheckMs
  }

  /** One transaction costs one commit, and claims depend on the outcomes stored before them. */
  async function storeAndClaim(): Promise<number> {
    const completed = attempts.takeCompleted()
    const transaction = inTransaction(db, 'work deliveries', async (tx) => {
      await settleDeliveries(ctx, tx, completed)
      return isStopping ? noClaims : claimDeliveries(ctx, tx, attempts.share)
    })
    const { deliveries, nextDueAt } = await transaction.catch((error) => {
      attempts.returnCompleted(completed)
      throw error
    })
    // Each attempt calls `wake` when it ends or releases its slot.
    attempts.begin(deliveries)
    return nextDueAt === null ? pollIntervalMs : Math.min(pollIntervalMs, Math.max(1, nextDueAt - clock.now()))
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
    async stop(graceSeconds) {
      isStopping = true
      clearTimeout(timer)
      await checking
      await attempts.end(graceSeconds)
      await checking
      await storeAndClaim().catch((err) => log.error({ err }, 'What came of the last deliveries could not be stored'))
    },
  }
}
