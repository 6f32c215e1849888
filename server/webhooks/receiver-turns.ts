import type { DueWebhook } from './claim-deliveries.ts'
import type { DeliveryRow } from './delivery-rows.ts'

/** What an attempt has told about its receiver. */
export type Verdict = 'succeeded' | 'failed'

/** The right to make one attempt. */
export type Turn = {
  delivery: DeliveryRow
  /** It has been waiting for its receiver for long: another may have this turn. */
  giveWay: () => void
  /** null: it has told nothing. */
  end: (verdict: Verdict | null) => Lesson
}

/** What follows from an attempt for its receiver. */
export type Lesson = {
  hasBegunToFail: boolean
  /** What was claimed for it and is not to be sent now. */
  surplus: DeliveryRow[]
}

type Receiver = {
  /** So many attempts at once: one more with every success, one alone after a failure. */
  window: number
  isFailing: boolean
  underWay: number
  /** Those of them that have given way. */
  slow: number
  /** Claimed, but not begun. */
  ready: DeliveryRow[]
}

/** Attempts that wait for their receivers: so many times as many as may be under way else. */
const asideFactor = 4

/**
 * Shares the turns among the receivers of this process, so that none holds up the others. Receivers that answer share
 * `limit` turns and take no more than half of them each. Those that hang or fail stand aside, in places of their own.
 */
export class ReceiverTurns {
  readonly #receivers = new Map<number, Receiver>()
  /** Whose ready deliveries are next, in turn. */
  readonly #queue = new Set<number>()
  readonly #limit: number
  #inTurn = 0
  #aside = 0
  #ready = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many deliveries of each of these webhooks are to be claimed: one of each first, then a second, … */
  share(due: readonly DueWebhook[]): Map<number, number> {
    const rooms = due.map((webhook) => ({ id: webhook.id, room: this.#room(webhook) }))
    const shares = new Map<number, number>()
    let left = 2 * this.#limit - this.#ready
    for (let round = 1; left > 0; round++) {
      const wanting = rooms.filter(({ room }) => room >= round).slice(0, left)
      if (wanting.length === 0) break
      for (const { id } of wanting) shares.set(id, round)
      left -= wanting.length
    }
    return shares
  }

  /** As many again as it may have under way, so that the next is at hand when one ends. */
  #room({ id, hasFailed }: DueWebhook): number {
    const receiver = this.#receiver(id)
    // What is stored may know more: another process has reached it, or it has another address now.
    if (receiver.underWay === 0 && receiver.ready.length === 0) receiver.isFailing = hasFailed
    const most = receiver.isFailing || receiver.slow > 0 ? receiver.window : receiver.window * 2
    const room = (receiver.window === 1 ? 1 : most) - receiver.underWay - receiver.ready.length
    return this.#isAside(receiver) && this.#aside >= this.#limit * asideFactor ? 0 : Math.max(0, room)
  }

  add(deliveries: readonly DeliveryRow[]): void {
    for (const delivery of deliveries) {
      this.#receiver(delivery.webhook_id).ready.push(delivery)
      this.#queue.add(delivery.webhook_id)
      this.#ready++
    }
  }

  /** The next attempt that may begin now. */
  next(): Turn | undefined {
    for (const id of this.#queue) {
      const receiver = this.#receiver(id)
      if (!this.#mayBegin(receiver)) continue
      const delivery = receiver.ready.shift() as DeliveryRow
      this.#ready--
      // To the end of the queue, if it has more.
      this.#queue.delete(id)
      if (receiver.ready.length > 0) this.#queue.add(id)
      return this.#begin(receiver, delivery)
    }
    return undefined
  }

  #mayBegin(receiver: Receiver): boolean {
    if (receiver.underWay >= receiver.window) return false
    return this.#isAside(receiver) ? this.#aside < this.#limit * asideFactor : this.#inTurn < this.#limit
  }

  #isAside = ({ isFailing, slow }: Receiver): boolean => isFailing || slow > 0

  #begin(receiver: Receiver, delivery: DeliveryRow): Turn {
    const id = delivery.webhook_id
    let isAside = this.#isAside(receiver)
    let isSlow = false
    receiver.underWay++
    if (isAside) this.#aside++
    else this.#inTurn++

    return {
      delivery,
      giveWay: () => {
        isSlow = true
        receiver.slow++
        if (isAside || this.#aside >= this.#limit * asideFactor) return
        isAside = true
        this.#aside++
        this.#inTurn--
      },
      end: (verdict) => {
        receiver.underWay--
        if (isSlow) receiver.slow--
        if (isAside) this.#aside--
        else this.#inTurn--
        return this.#learn(id, receiver, verdict)
      },
    }
  }

  #learn(id: number, receiver: Receiver, verdict: Verdict | null): Lesson {
    const hasBegunToFail = verdict === 'failed' && !receiver.isFailing
    if (verdict !== null) receiver.isFailing = verdict === 'failed'
    if (verdict === 'failed') receiver.window = 1
    if (verdict === 'succeeded') receiver.window = Math.min(receiver.window + 1, Math.ceil(this.#limit / 2))
    return { hasBegunToFail, surplus: verdict === 'failed' ? this.#release(id, receiver) : [] }
  }

  #release(id: number, receiver: Receiver): DeliveryRow[] {
    this.#queue.delete(id)
    this.#ready -= receiver.ready.length
    return receiver.ready.splice(0)
  }

  /** All that was claimed and not begun. */
  releaseAll(): DeliveryRow[] {
    return [...this.#receivers].flatMap(([id, receiver]) => this.#release(id, receiver))
  }

  #receiver(id: number): Receiver {
    let receiver = this.#receivers.get(id)
    if (!receiver) {
      receiver = { window: 1, isFailing: false, underWay: 0, slow: 0, ready: [] }
      this.#receivers.set(id, receiver)
    }
    return receiver
  }
}
