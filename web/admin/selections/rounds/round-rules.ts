import type { RoundRecord } from '../../../../contract/gallery/rounds.ts'

type Round = Pick<RoundRecord, 'state' | 'reopening' | 'can_be_reminded'>

export type RoundAction = 'accept' | 'remind' | 'reopen'

/** Not by `sentStates` of the contract, which would load its schemas. */
export const isSent = ({ state }: Pick<RoundRecord, 'state'>): boolean => state === 'submitted' || state === 'locked'

/** Returns why mails do not reach the guest; null if they do. */
export const findMailObstacle = ({ mail }: Pick<RoundRecord, 'mail'>) =>
  mail === 'yes' || mail === 'asks' ? null : mail

/** Returns what the operator can do with a round. The first one is the next step. */
export function listRoundActions(round: Round): RoundAction[] {
  if (!isSent(round)) return round.can_be_reminded ? ['remind'] : []
  if (round.state === 'locked') return ['reopen']
  return round.reopening ? ['reopen', 'accept'] : ['accept', 'reopen']
}

/** What waits for the operator comes first, then what waits for guests. `undefined`: nothing is picked yet. */
export function rankRound(round: Round | undefined): number {
  if (!round) return 4
  if (isSent(round) && round.reopening) return 0
  return { submitted: 1, reopened: 2, open: 2, locked: 3 }[round.state]
}

type Counted = Pick<RoundRecord, 'state' | 'count' | 'extra_count' | 'minimum' | 'maximum'>

/** Returns what to say about the number of picks. Only an open round can have too few or too many. */
export const describePickCount = (round: Counted): 'tooFew' | 'tooMany' | 'withExtras' | 'ofIncluded' => {
  if (!isSent(round)) {
    if (round.count < round.minimum) return 'tooFew'
    if (round.maximum !== null && round.count > round.maximum) return 'tooMany'
  }
  return round.extra_count > 0 ? 'withExtras' : 'ofIncluded'
}

/** `today`: YYYY-MM-DD. Submitted picks are never overdue. */
export const isOverdue = (round: Pick<RoundRecord, 'state' | 'due_on'>, today: string): boolean =>
  round.due_on !== null && round.due_on < today && !isSent(round)
