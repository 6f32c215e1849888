import type { DueWebhook } from './claim-deliveries.ts'

/** What an attempt has told about its receiver. */
export type Verdict = 'succeeded' | 'failed'

/** The right to make one attempt. */
export type Turn = {
  /** It has been waiting for its receiver for long: another has this turn from now on. */
  giveWay: () => void
  /** null: it has told nothing. */
  end: (verdict: Verdict | null) => { hasBegunToFail: boolean }
}

type Receiver = {
  /** So many attempts at once: one more with every success, one alone after a failure. */
  window: number
  isFailing: boolean
  underWay: number
  /** Those of them that have given way. */
  slow: number
  /** Which of all turns was its last. */
  lastTurn: number
}

/** Where an attempt is counted: among those that share the turns, or with those that wait for their receivers. */
type Place = 'inTurn' | 'aside'

/** So many times as many attempts at receivers that hang or fail may be under way as there are turns. */
const asideFactor = 4

/**
 * Shares the turns among the receivers of this process, so that none holds up the others. Receivers that answer share
 * `limit` turns and take no more than half of them each. Those that hang or fail stand aside, in places of their own.
 */
export class ReceiverTurns {
  readonly #receivers = new Map<number, Receiver>()
  readonly #most: Record<Place, number>
  readonly #taken: Record<Place, number> = { inTurn: 0, aside: 0 }
  #turns = 0

  constructor(limit: number) {
    this.#most = { inTurn: limit, aside: limit * asideFactor }
  }

  /**
   * How many attempts at each of these may begin now: one at each first, then a second, … Whose last turn is longest ago
   * comes first, so that nobody is passed over for what another has piled up.
   */
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
    // What is stored may know more: another process has reached it, or it has another address now.
    if (receiver.underWay === 0) receiver.isFailing = hasFailed
    return { room: receiver.window - receiver.underWay, place: placeOf(receiver), lastTurn: receiver.lastTurn }
  }

  /** An attempt that was shared out. */
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
