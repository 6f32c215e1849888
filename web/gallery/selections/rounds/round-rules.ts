import type { GuestRound } from '../../../../contract/gallery/rounds.ts'
import { isRoundSent } from '../../../../locales/describe-round.ts'
import type { MarkBody, WaitingMark } from '../../marks/waiting-mark.ts'

type Round = Pick<GuestRound, 'state' | 'minimum' | 'maximum'>

const isNewPick = ({ feedback_type, set }: MarkBody): boolean => feedback_type === 'favorite' && set === true
const isRemovedPick = ({ feedback_type, set }: MarkBody): boolean => feedback_type === 'favorite' && set !== true

/** Returns how many more photos can be picked. */
export const getRoom = ({ maximum }: Pick<Round, 'maximum'>, count: number): number =>
  maximum === null ? Number.POSITIVE_INFINITY : Math.max(0, maximum - count)

/** Returns why `times` such marks cannot be given, or null. */
export function findMarkProblem(round: Round, count: number, mark: MarkBody, times = 1): 'locked' | 'full' | null {
  if (isRoundSent(round)) return 'locked'
  return isNewPick(mark) && times > getRoom(round, count) ? 'full' : null
}

/** Returns how many photos are missing (below 0: too many) before the picks can be sent; 0 if they can. */
export function countMissing({ minimum, maximum }: Round, count: number): number {
  if (count < minimum) return minimum - count
  return maximum !== null && count > maximum ? maximum - count : 0
}

/**
 * Returns which of the marks fit, in the order in which they can be sent: removed picks make room for new ones. The
 * oldest new picks come first.
 */
export function chooseSendable(
  marks: readonly WaitingMark[],
  round: Pick<Round, 'maximum'>,
  count: number,
): WaitingMark[] {
  const removed = marks.filter(({ body }) => isRemovedPick(body))
  const picked = marks.filter(({ body }) => isNewPick(body))
  const others = marks.filter(({ body }) => body.feedback_type !== 'favorite')
  return [...removed, ...picked.slice(0, getRoom(round, count - removed.length)), ...others]
}
