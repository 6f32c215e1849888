import type { Outcome } from './mark-outcome.ts'
import type { WaitingMark } from './waiting-mark.ts'

export const markChannel = 'proofroom-marks'

/** `outcome` is null for a mark that was given in another window. */
export type MarkMessage = { mark: WaitingMark; outcome: Outcome | null }
