import { type RawBuilder, sql } from 'kysely'
import type { AccountCaller } from '../access/callers.ts'
import { ownedEvents } from '../events/event-ownership.ts'
import type { Database } from '../platform/database/tables.ts'

/** A query for the ids of the included events; null includes all. */
export type Scope = ReturnType<typeof ownedEvents> | null

export const scopeOf = (db: Database, { user }: AccountCaller): Scope =>
  user.role === 'super_admin' ? null : ownedEvents(db, user)

export const isOwned = (scope: Scope, column: string): RawBuilder<boolean> =>
  scope ? sql<boolean>`${sql.ref(column)} in ${scope}` : sql<boolean>`true`
