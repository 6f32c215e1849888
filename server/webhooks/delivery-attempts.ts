import { seconds } from '../platform/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { DueWebhook } from './claim-deliveries.ts'
import { type Attempt, deliver } from './deliver.ts'
import { addDeliveryGauges } from './delivery-gauges.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import { isFailure, isSuccess, type Outcome, reasonOf } from './delivery-schedule.ts'
import { createPoster } from './post-to-receiver.ts'
import { ReceiverTurns, type Turn, type Verdict } from './receiver-turns.ts'

/** An attempt that takes longer releases its slot. Most receivers have responded by then. */
const patienceMs = 250

export type DeliveryAttempts = {
  /** How many attempts may start now for each due webhook. */
  share: (due: readonly DueWebhook[]) => Map<number, number>
  begin: (deliveries: readonly DeliveryRow[]) => void
  /** Returns the attempts that have ended since the last call, to be stored. */
  takeMade: () => Attempt[]
  returnMade: (attempts: readonly Attempt[]) => void
  /** Aborts running attempts after the grace period. Resolves when none is running. */
  end: (graceSeconds: number) => Promise<void>
}

/** The attempts of this process. Calls `onChange` when there is something to store or a free slot. */
export function createDeliveryAttempts(ctx: AppContext, onTurn: () => void): DeliveryAttempts {
  const poster = createPoster(ctx)
  const turns = new ReceiverTurns(ctx.config.webhooks.concurrency)
  const underWay = new Set<Promise<void>>()
  const tally = addDeliveryGauges(ctx, () => underWay.size)
  const ending = new AbortController()
  let made: Attempt[] = []

  function begin(delivery: DeliveryRow): void {
    const turn = turns.begin(delivery.webhook_id)
    const patience = setTimeout(() => {
      turn.giveWay()
      onTurn()
    }, patienceMs)
    const attempting = attempt(delivery, turn).finally(() => {
      clearTimeout(patience)
      underWay.delete(attempting)
      onTurn()
    })
    underWay.add(attempting)
  }

  async function attempt(delivery: DeliveryRow, turn: Turn): Promise<void> {
    const attempt = await deliver(ctx, poster, delivery, ending.signal).catch((err) => defect(delivery, err))
    const verdict = attempt && verdictOf(attempt.outcome)
    const { hasBegunToFail } = turn.end(verdict)
    if (attempt) made.push(attempt)
    if (verdict) tally.count(verdict)
    if (hasBegunToFail && attempt) logFirstFailure(attempt)
  }

  /** A fault of this program; the delivery is retried as after any other failure. */
  function defect(delivery: DeliveryRow, err: Error): Attempt {
    ctx.log.error({ err, delivery: delivery.id }, 'A delivery could not be made')
    const outcome = { result: 'unanswered', reason: 'It could not be sent: see the log.', latencyMs: null } as const
    return { delivery, outcome, headers: null }
  }

  /** Logs only the first of several failures in a row. Each delivery stores its own reason. */
  function logFirstFailure({ delivery, outcome }: Attempt): void {
    const facts = { webhook: delivery.webhook_id, delivery: delivery.id, reason: reasonOf(outcome) }
    ctx.log.warn(facts, 'The receiver of a webhook has begun to fail')
  }

  return {
    share: (due) => turns.share(due),
    begin: (deliveries) => deliveries.forEach(begin),
    takeMade() {
      const attempts = made
      made = []
      return attempts
    },
    returnMade: (attempts) => void made.unshift(...attempts),
    async end(graceSeconds) {
      const cutOff = setTimeout(() => ending.abort(), seconds(graceSeconds))
      await Promise.all(underWay)
      clearTimeout(cutOff)
      poster.close()
    },
  }
}

function verdictOf(outcome: Outcome): Verdict | null {
  if (isSuccess(outcome)) return 'succeeded'
  return isFailure(outcome) ? 'failed' : null
}
