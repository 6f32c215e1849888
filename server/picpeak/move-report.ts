import type { Role, Scope } from '../../contract/access.ts'

/** A row of the source that is not here after the import, or not as it was there. */
export type Difference = { table: string; id: string; reason: string }

export type MoveCount = {
  kind: string
  /** Rows in the source. */
  source: number
  /** Rows that come from the source, from this and from earlier imports, and are here now, or would be without a dry run. */
  moved: number
}

/** Who could use this instance after the import, and could not before it. */
export type MovedAccess = {
  accounts: Array<{ username: string; email: string; role: Role; isActive: boolean }>
  tokens: Array<{ name: string; username: string; role: Role; scope: Scope }>
}

export type MoveReport = {
  isDryRun: boolean
  /** Null without a dry run. */
  access: MovedAccess | null
  /** Whether events, photos and categories of the first import have the ids that they have in the source. */
  hasKeptIds: boolean
  counts: MoveCount[]
  differences: Difference[]
  /** Tables whose content has no counterpart here. */
  leftOut: Array<{ table: string; rows: number; reason: string }>
}

export type AddDifference = (table: string, id: unknown, reason: string) => void
