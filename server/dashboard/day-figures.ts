import { sql } from 'kysely'
import type { Dashboard } from '../../contract/dashboard.ts'
import { epochDay } from '../feedback/event-days.ts'
import { days } from '../platform/clock.ts'
import type { Database } from '../platform/database/tables.ts'
import { isInScope, type Scope } from './dashboard-scope.ts'
import { toNumbers } from './event-figures.ts'

const figures = [
  'uploads',
  'upload_bytes',
  'views',
  'downloads',
  'ratings',
  'color_labels',
  'likes',
  'favorites',
  'comments',
] as const

/** Returns the sums of each of the last `count` days, including today. */
export async function readDays(db: Database, scope: Scope, now: number, count: number): Promise<Dashboard['days']> {
  const first = epochDay(now) - count + 1
  const rows = await db
    .selectFrom('event_days')
    .where(isInScope(scope, 'event_id'))
    .select(['day', ...figures.map((name) => sql<number>`sum(${sql.ref(name)})`.as(name))])
    .where('day', '>=', first)
    .groupBy('day')
    .execute()
  const figuresByDay = new Map(rows.map(({ day, ...sums }) => [Number(day), toNumbers(sums)]))
  return Array.from({ length: count }, (_, index) => ({
    date: new Date(days(first + index)).toISOString().slice(0, 10),
    ...(figuresByDay.get(first + index) ?? zeroFigures),
  }))
}

const zeroFigures = Object.fromEntries(figures.map((name) => [name, 0])) as Record<(typeof figures)[number], number>
