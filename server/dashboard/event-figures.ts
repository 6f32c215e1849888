import { sql } from 'kysely'
import type { Dashboard } from '../../contract/dashboard.ts'
import { isoTime } from '../platform/clock.ts'
import type { Database } from '../platform/database/tables.ts'
import { isInScope, type Scope } from './dashboard-scope.ts'

/** One scan is cheap enough: an instance has far fewer events than photos. */
export async function countEvents(db: Database, scope: Scope, now: number) {
  const isLive = sql`is_draft = 0 and is_archived = 0`
  const counts = await db
    .selectFrom('events')
    .where(isInScope(scope, 'id'))
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`coalesce(sum(case when is_draft = 1 and is_archived = 0 then 1 else 0 end), 0)`.as('draft'),
      sql<number>`coalesce(sum(case when ${isLive} and expires_at > ${now} then 1 else 0 end), 0)`.as('live'),
      sql<number>`coalesce(sum(case when ${isLive} and expires_at <= ${now} then 1 else 0 end), 0)`.as('expired'),
      sql<number>`coalesce(sum(is_archived), 0)`.as('archived'),
      sql<number>`coalesce(sum(total_views), 0)`.as('views'),
      sql<number>`coalesce(sum(total_downloads), 0)`.as('downloads'),
    ])
    .executeTakeFirstOrThrow()
  return toNumbers(counts)
}

type ExpiryQuery = { now: number; until: number; limit: number }

export async function listExpiringSoon(
  db: Database,
  scope: Scope,
  { now, until, limit }: ExpiryQuery,
): Promise<Dashboard['expiring_soon']> {
  const rows = await db
    .selectFrom('events')
    .where(isInScope(scope, 'id'))
    .select(['id', 'slug', 'event_name', 'expires_at'])
    .where('is_draft', '=', 0)
    .where('is_archived', '=', 0)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', until)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, expires_at: isoTime(row.expires_at) }))
}

/** PostgreSQL returns 64-bit counts as text. */
export const toNumbers = <T extends Record<string, unknown>>(counts: T): { [K in keyof T]: number } =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])) as { [K in keyof T]: number }
