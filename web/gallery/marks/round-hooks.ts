import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { SelectionReply } from '../../../contract/gallery/selections.ts'
import type { MarkBody } from './waiting-mark.ts'

/** What the part for events with a package adds to marks and to the sending of picks. */
export type RoundHooks = {
  /** Returns whether the guest can give `times` such marks. If not, shows why. */
  allowsMark: (mark: MarkBody, times?: number) => boolean
  /** Returns the message for an error code of rounds, or null. Loads the round again. */
  explain: (code: string) => string | null
  /** Returns why the picks cannot be sent as they are, or null. */
  findSendProblem: () => string | null
  /** Shows the terms in the dialog that sends the picks. */
  Terms: ComponentType
  /**
   * Returns the revision of the picks that the guest has seen. Asks the service if the guest has changed them after the
   * dialog was opened. Throws ApiError (`SELECTION_CHANGED`) and Unreachable.
   */
  confirmRevision: () => number | Promise<number>
  recordSent: (reply: SelectionReply | null) => void
}

/** Null without a package, and until the part is loaded. */
export const roundHooks = signal<RoundHooks | null>(null)
