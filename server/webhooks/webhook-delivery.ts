import { createFailureLog } from '../platform/background/failure-log.ts'
import { seconds } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type Claims, claimDeliveries } from './claim-deliveries.ts'
import { createDeliveryAttempts } from './delivery-attempts.ts'
import { settleDeliveries } from './settle-delivery.ts'

/** How often the queue is checked for deliveries of other processes. */
const pollIntervalMs = seconds(30)

/** After a failure of the database. */
const pauseMs = seconds(1)

const nothing: Claims = { deliveries: [], nextDueAt: null }

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
  let isWanted = false
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  /** Returns the milliseconds until the next check. */
  async function look(): Promise<number> {
    let againMs = pollIntervalMs
    while (isWanted) {
      isWanted = false
      againMs = await storeAndClaim()
      failures.worked()
    }
    return againMs
  }

  /** One transaction costs one commit, and claims depend on the outcomes stored before them. */
  async function storeAndClaim(): Promise<number> {
    const made = attempts.takeMade()
    const transaction = inTransaction(db, 'work deliveries', async (tx) => {
      await settleDeliveries(ctx, tx, made)
      return isStopping ? nothing : claimDeliveries(ctx, tx, attempts.share)
    })
    const { deliveries, nextDueAt } = await transaction.catch((error) => {
      attempts.returnMade(made)
      throw error
    })
    // Each attempt calls `wake` when it ends or releases its slot.
    attempts.begin(deliveries)
    return nextDueAt === null ? pollIntervalMs : Math.min(pollIntervalMs, Math.max(1, nextDueAt - clock.now()))
  }

  function wake(): void {
    isWanted = true
    if (looking) return
    clearTimeout(timer)
    looking = look()
      .catch((err) => {
        failures.failed(err)
        isWanted = false
        return pauseMs
      })
      .then((againMs) => {
        looking = null
        if (!isStopping) timer = setTimeout(wake, isWanted ? 0 : againMs).unref()
      })
  }

  changes.on('delivery', wake)
  wake()

  return {
    async stop(graceSeconds) {
      isStopping = true
      clearTimeout(timer)
      await looking
      await attempts.end(graceSeconds)
      await looking
      await storeAndClaim().catch((err) => log.error({ err }, 'What came of the last deliveries could not be stored'))
    },
  }
}
