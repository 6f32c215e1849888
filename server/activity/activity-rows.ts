import type { Generated, Selectable } from 'kysely'
import type { ActivityOutcome, ActivityVia } from '../../contract/activity.ts'

/** Who did what, when: words of our own and ids, never a value that somebody sent. */
export type ActivityTable = {
  id: Generated<number>
  at: number
  /** The operationId of the call. */
  action: string
  outcome: ActivityOutcome
  user_id: number | null
  token_id: number | null
  via: ActivityVia
  /** Without its last bits: it tells a network, not a person. */
  address: string | null
  event_id: number | null
  /** What `subject_ids` are of; null where the call is about nothing with an id. */
  subject: string | null
  /** JSON, at most `maxIds`. */
  subject_ids: string
  count: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    activity: ActivityTable
  }
}

export type ActivityRow = Selectable<ActivityTable>
