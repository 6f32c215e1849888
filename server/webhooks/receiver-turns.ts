import type { DueWebhook } from './claim-deliveries.ts'

export type Verdict = 'succeeded' | 'failed'

export type Turn = {
  /** Releases the slot of an attempt that takes long; the attempt counts as slow from now on. */
  giveWay: () => void
  /** null if the attempt shows nothing about its receiver. */
  end: (verdict: Verdict | null) => { hasBegunToFail: boolean }
}

type Receiver = {
  /** The limit of concurrent attempts: grows by 1 with each success, 1 after a failure. */
  window: number
  isFailing: boolean
  underWay: number
  /** The running attempts that have released their slots. */
  slow: number
  /** The sequence number of the last attempt. */
  lastTurn: number
}

/** `aside` counts attempts at slow and failing receivers. */
type Place = 'inTurn' | 'aside'

/** There are this many times more slots for slow and failing receivers. */
const asideFactor = 4

/**
 * Distributes the slots of this process, so that no receiver delays the others. Receivers that respond share `limit`
 * slots, at most half of them each; slow and failing ones have slots of their own.
 */
export class ReceiverTurns {
  readonly #receivers = new Map<number, Receiver>()
  readonly #most: Record<Place, number>
  readonly #taken: Record<Place, number> = { inTurn: 0, aside: 0 }
  #turns = 0

  constructor(limit: number) {
    this.#most = { inTurn: limit, aside: limit * asideFactor }
  }

  /** The webhook whose last attempt is longest ago comes first. All get one attempt before any gets a second. */
  share(due: readonly DueWebhook[]): Map<number, number> {
    const wanting = due
      .map((webhook) => ({ id: webhook.id, ...this.#wants(webhook) }))
      .sort((one, other) => one.lastTurn - other.lastTurn)
    const free = { inTurn: this.#most.inTurn - this.#taken.inTurn, aside: this.#most.aside - this.#taken.aside }
    const shares = new Map<number, number>()
    for (let round = 1; ; round++) {
      const served = wanting.filter(({ room, place }) => room >= round && free[place]-- > 0)
      if (served.length === 0) return shares
      for (const { id } of served) shares.set(id, round)
    }
  }

  #wants({ id, hasFailed }: DueWebhook): { room: number; place: Place; lastTurn: number } {
    const receiver = this.#receiver(id)
    // Another process may have reached the receiver, or its address has changed.
    if (receiver.underWay === 0) receiver.isFailing = hasFailed
    return { room: receiver.window - receiver.underWay, place: placeOf(receiver), lastTurn: receiver.lastTurn }
  }

  /** Starts an attempt that `share` has granted. */
  begin(webhookId: number): Turn {
    const receiver = this.#receiver(webhookId)
    let place = placeOf(receiver)
    let isSlow = false
    receiver.underWay++
    receiver.lastTurn = ++this.#turns
    this.#taken[place]++

    return {
      giveWay: () => {
        isSlow = true
        receiver.slow++
        this.#taken[place]--
        place = 'aside'
        this.#taken[place]++
      },
      end: (verdict) => {
        receiver.underWay--
        if (isSlow) receiver.slow--
        this.#taken[place]--
        return this.#learn(receiver, verdict)
      },
    }
  }

  #learn(receiver: Receiver, verdict: Verdict | null): { hasBegunToFail: boolean } {
    const hasBegunToFail = verdict === 'failed' && !receiver.isFailing
    if (verdict !== null) receiver.isFailing = verdict === 'failed'
    if (verdict === 'failed') receiver.window = 1
    if (verdict === 'succeeded') receiver.window = Math.min(receiver.window + 1, Math.ceil(this.#most.inTurn / 2))
    return { hasBegunToFail }
  }

  #receiver(id: number): Receiver {
    let receiver = this.#receivers.get(id)
    if (!receiver) {
      receiver = { window: 1, isFailing: false, underWay: 0, slow: 0, lastTurn: 0 }
      this.#receivers.set(id, receiver)
    }
    return receiver
  }
}

const placeOf = ({ isFailing, slow }: Receiver): Place => (isFailing || slow > 0 ? 'aside' : 'inTurn')
