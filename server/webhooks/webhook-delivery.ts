import { createFailureLog } from '../platform/background/failure-log.ts'
import { seconds } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type Claims, claimDeliveries } from './claim-deliveries.ts'
import { createDeliveryAttempts } from './delivery-attempts.ts'
import { settleDeliveries } from './settle-delivery.ts'

/** How often it looks for what another process has written, where nothing wakes it. */
const lookEveryMs = seconds(30)

/** After the database has failed. */
const pauseMs = seconds(1)

const nothing: Claims = { deliveries: [], nextDueAt: null }

export type WebhookDelivery = {
  /** Takes up nothing new; attempts under way get the grace, then are broken off and stay pending. */
  stop: (graceSeconds: number) => Promise<void>
}

/** Sends what is queued: at once when an operation has told of it, else when it is due. */
export function startWebhookDelivery(ctx: AppContext): WebhookDelivery {
  const { changes, clock, db, log } = ctx
  const failures = createFailureLog(log, 'The deliveries of webhooks could not be read or stored')
  const attempts = createDeliveryAttempts(ctx, wake)
  let isStopping = false
  let isWanted = false
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  /** Stores and claims as long as there is reason to; answers after how long there is again. */
  async function look(): Promise<number> {
    let againMs = lookEveryMs
    while (isWanted) {
      isWanted = false
      againMs = await storeAndClaim()
      failures.worked()
    }
    return againMs
  }

  /** In one transaction: it costs one commit, and whose turn it is depends on what came of the turns before. */
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
    // Each of these wakes us when it ends or gives way: what could not be begun now, or is due by then, is found then.
    attempts.begin(deliveries)
    return nextDueAt === null ? lookEveryMs : Math.min(lookEveryMs, Math.max(1, nextDueAt - clock.now()))
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
