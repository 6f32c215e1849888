import { seconds } from '../platform/clock.ts'
import type { House } from '../settings/house.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { createDeliveryAttempts } from './delivery-attempts.ts'
import { settleDeliveries } from './settle-delivery.ts'

/** How often it looks for what another process has written, where nothing wakes it. */
const lookEveryMs = seconds(30)

/** After the database has failed. */
const pauseMs = seconds(1)

export type WebhookDelivery = {
  /** Takes up nothing new; attempts under way get the grace, then are broken off and stay pending. */
  stop: (graceSeconds: number) => Promise<void>
}

/** Sends what is queued: at once when a deed has told of it, else when it is due. */
export function startWebhookDelivery(house: House): WebhookDelivery {
  const { changes, clock, log } = house
  const attempts = createDeliveryAttempts(house, wake)
  let isStopping = false
  let isWanted = false
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  /** Stores and claims as long as there is reason to; answers after how long there is again. */
  async function look(): Promise<number> {
    let againMs = lookEveryMs
    while (isWanted) {
      isWanted = false
      // Side by side, so that the database commits both at once.
      const [stored, claimed] = await Promise.allSettled([store(), claim()])
      if (stored.status === 'rejected') throw stored.reason
      if (claimed.status === 'rejected') throw claimed.reason
      againMs = claimed.value
    }
    return againMs
  }

  async function store(): Promise<void> {
    const made = attempts.takeMade()
    // When they are due again has to be looked for once it is committed.
    if (made.length > 0) isWanted = true
    await settleDeliveries(house, made).catch((error) => {
      attempts.returnMade(made)
      throw error
    })
  }

  async function claim(): Promise<number> {
    if (isStopping) return lookEveryMs
    const { deliveries, nextDueAt } = await claimDeliveries(house, attempts.share)
    attempts.begin(deliveries)
    // There may be more than could be claimed at once.
    if (deliveries.length > 0) isWanted = true
    return nextDueAt === null ? lookEveryMs : Math.min(lookEveryMs, Math.max(1, nextDueAt - clock.now()))
  }

  function wake(): void {
    isWanted = true
    if (looking) return
    clearTimeout(timer)
    looking = look()
      .catch((err) => {
        log.error({ err }, 'The deliveries of webhooks could not be read or stored')
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
      await store().catch((err) => log.error({ err }, 'What came of the last deliveries could not be stored'))
    },
  }
}
