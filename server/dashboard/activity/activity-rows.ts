import type { Generated, Selectable } from 'kysely'
import type { ActivityOutcome, ActivityVia } from '../../../contract/instance/activity.ts'

/** Contains ids and the names of operations, never submitted values. */
export type ActivityTable = {
  id: Generated<number>
  at: number
  action: string
  outcome: ActivityOutcome
  user_id: number | null
  token_id: number | null
  via: ActivityVia
  /** For privacy, only the network of the address: see `toNetworkAddress`. */
  address: string | null
  event_id: number | null
  /** The type of `subject_ids`, such as `photo`; null for a call without an id. */
  subject: string | null
  /** JSON array of at most 100 ids. */
  subject_ids: string
  count: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    activity: ActivityTable
  }
}

export type ActivityRow = Selectable<ActivityTable>
