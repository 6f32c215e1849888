import type { DueWebhook } from './claim-deliveries.ts'

export type Verdict = 'succeeded' | 'failed'

export type AttemptSlot = {
  /** Releases the slot of an attempt that takes long; the attempt counts as slow from now on. */
  release: () => void
  /** null if the attempt shows nothing about its receiver. */
  end: (verdict: Verdict | null) => { hasStartedFailing: boolean }
}

type Receiver = {
  /** The limit of concurrent attempts: grows by 1 with each success, 1 after a failure. */
  window: number
  isFailing: boolean
  running: number
  /** The running attempts that have released their slots. */
  slow: number
  lastAttempt: number
}

/** `aside` counts attempts at slow and failing receivers. */
type SlotKind = 'inTurn' | 'aside'

/** There are this many times more slots for slow and failing receivers. */
const slowSlotFactor = 4

/**
 * Distributes the slots of this process, so that no receiver delays the others. Receivers that respond share `limit`
 * slots, at most half of them each; slow and failing ones have slots of their own.
 */
export class ReceiverLimits {
  readonly #receivers = new Map<number, Receiver>()
  readonly #maxAttempts: Record<SlotKind, number>
  readonly #usedSlots: Record<SlotKind, number> = { inTurn: 0, aside: 0 }
  #attemptCount = 0

  constructor(limit: number) {
    this.#maxAttempts = { inTurn: limit, aside: limit * slowSlotFactor }
  }

  /** The webhook whose last attempt is longest ago comes first. All get one attempt before any gets a second. */
  share(due: readonly DueWebhook[]): Map<number, number> {
    const candidates = due
      .map((webhook) => ({ id: webhook.id, ...this.#demand(webhook) }))
      .sort((one, other) => one.lastAttempt - other.lastAttempt)
    const free = {
      inTurn: this.#maxAttempts.inTurn - this.#usedSlots.inTurn,
      aside: this.#maxAttempts.aside - this.#usedSlots.aside,
    }
    const shares = new Map<number, number>()
    for (let round = 1; ; round++) {
      const granted = candidates.filter(({ capacity, slotKind }) => capacity >= round && free[slotKind]-- > 0)
      if (granted.length === 0) return shares
      for (const { id } of granted) shares.set(id, round)
    }
  }

  #demand({ id, hasFailed }: DueWebhook): { capacity: number; slotKind: SlotKind; lastAttempt: number } {
    const receiver = this.#receiver(id)
    // Another process may have reached the receiver, or its address has changed.
    if (receiver.running === 0) receiver.isFailing = hasFailed
    return {
      capacity: receiver.window - receiver.running,
      slotKind: slotKindOf(receiver),
      lastAttempt: receiver.lastAttempt,
    }
  }

  /** Starts an attempt that `share` has granted. */
  begin(webhookId: number): AttemptSlot {
    const receiver = this.#receiver(webhookId)
    let slotKind = slotKindOf(receiver)
    let isSlow = false
    receiver.running++
    receiver.lastAttempt = ++this.#attemptCount
    this.#usedSlots[slotKind]++

    return {
      release: () => {
        isSlow = true
        receiver.slow++
        this.#usedSlots[slotKind]--
        slotKind = 'aside'
        this.#usedSlots[slotKind]++
      },
      end: (verdict) => {
        receiver.running--
        if (isSlow) receiver.slow--
        this.#usedSlots[slotKind]--
        return this.#recordVerdict(receiver, verdict)
      },
    }
  }

  #recordVerdict(receiver: Receiver, verdict: Verdict | null): { hasStartedFailing: boolean } {
    const hasStartedFailing = verdict === 'failed' && !receiver.isFailing
    if (verdict !== null) receiver.isFailing = verdict === 'failed'
    if (verdict === 'failed') receiver.window = 1
    if (verdict === 'succeeded')
      receiver.window = Math.min(receiver.window + 1, Math.ceil(this.#maxAttempts.inTurn / 2))
    return { hasStartedFailing }
  }

  #receiver(id: number): Receiver {
    let receiver = this.#receivers.get(id)
    if (!receiver) {
      receiver = { window: 1, isFailing: false, running: 0, slow: 0, lastAttempt: 0 }
      this.#receivers.set(id, receiver)
    }
    return receiver
  }
}

const slotKindOf = ({ isFailing, slow }: Receiver): SlotKind => (isFailing || slow > 0 ? 'aside' : 'inTurn')
