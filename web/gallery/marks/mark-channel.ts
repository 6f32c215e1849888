import type { Outcome } from './mark-answers.ts'
import type { WaitingMark } from './waiting-mark.ts'

/** What pages and the worker tell each other of marks. */
export const markChannel = 'proofroom-marks'

/** Given in another window, or answered for by the service. */
export type MarkMessage = { mark: WaitingMark; outcome: Outcome | null }
