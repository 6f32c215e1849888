import type { DueWebhook } from './claim-deliveries.ts'

export type Verdict = 'succeeded' | 'failed'

export type AttemptSlot = {
  /** Exchanges the slot for one of the slow kind, for an attempt that takes long. */
  release: () => void
  /** `verdict` is null if the attempt says nothing about its receiver. */
  end: (verdict: Verdict | null) => { hasStartedFailing: boolean }
}

type Receiver = {
  /** The limit of concurrent attempts. It grows by 1 with each success and falls to 1 after a failure. */
  window: number
  isFailing: boolean
  running: number
  /** How many running attempts have released their slots. */
  slow: number
  lastAttempt: number
}

/** `slow` slots are for attempts at slow and failing receivers. */
type SlotKind = 'regular' | 'slow'

/** There are this many times as many slow slots as regular ones. */
const slowSlotFactor = 4

/**
 * Limits concurrent attempts, which need one slot each, so that no receiver delays the others. Receivers that respond
 * fast share `limit` slots, at most half of them each; slow and failing receivers share other slots.
 */
export class ReceiverLimits {
  readonly #receivers = new Map<number, Receiver>()
  readonly #maxAttempts: Record<SlotKind, number>
  readonly #usedSlots: Record<SlotKind, number> = { regular: 0, slow: 0 }
  #attemptCount = 0

  constructor(limit: number) {
    this.#maxAttempts = { regular: limit, slow: limit * slowSlotFactor }
  }

  /**
   * Returns how many attempts may start now for each webhook. The one whose last attempt is longest ago comes first,
   * and all get one attempt before any gets a second.
   */
  share(due: readonly DueWebhook[]): Map<number, number> {
    const candidates = due
      .map((webhook) => ({ id: webhook.id, ...this.#demand(webhook) }))
      .sort((one, other) => one.lastAttempt - other.lastAttempt)
    const free = {
      regular: this.#maxAttempts.regular - this.#usedSlots.regular,
      slow: this.#maxAttempts.slow - this.#usedSlots.slow,
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
    // `hasFailed` is from the database: another process may have reached the receiver, or its address has changed.
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
        slotKind = 'slow'
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
      receiver.window = Math.min(receiver.window + 1, Math.ceil(this.#maxAttempts.regular / 2))
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

const slotKindOf = ({ isFailing, slow }: Receiver): SlotKind => (isFailing || slow > 0 ? 'slow' : 'regular')
