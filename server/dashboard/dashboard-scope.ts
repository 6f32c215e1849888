import { type RawBuilder, sql } from 'kysely'
import type { AccountCaller } from '../access/callers.ts'
import { ownedEventIds } from '../events/event-ownership.ts'
import type { Database } from '../platform/database/tables.ts'

/** A query for the ids of the included events; null includes all. */
export type Scope = ReturnType<typeof ownedEventIds> | null

export const getScope = (db: Database, { user }: AccountCaller): Scope =>
  user.role === 'super_admin' ? null : ownedEventIds(db, user)

export const isInScope = (scope: Scope, column: string): RawBuilder<boolean> =>
  scope ? sql<boolean>`${sql.ref(column)} in ${scope}` : sql<boolean>`true`
