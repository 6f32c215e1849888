import { type RawBuilder, sql } from 'kysely'
import type { ownedEventIds } from '../events/event-ownership.ts'

/** A query for the ids of the included events; null includes all. */
export type Scope = ReturnType<typeof ownedEventIds> | null

export const isInScope = (scope: Scope, column: string): RawBuilder<boolean> =>
  scope ? sql<boolean>`${sql.ref(column)} in ${scope}` : sql<boolean>`true`

/** The limit of each list of the dashboard. */
export const maxListed = 10
