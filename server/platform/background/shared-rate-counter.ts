import { sql } from 'kysely'
import type { PlatformContext } from '../platform-context.ts'
import type { Clock } from '../time/clock.ts'
import { RecentMap } from './recent-map.ts'

/** The count of one key in its current window, which ends at `endsAt` (epoch milliseconds). */
export type RateCount = { count: number; endsAt: number }

/** Counts per key in windows of a fixed length. A window starts with its first count. */
export type RateCounter = {
  add: (key: string) => Promise<RateCount>
  readCount: (key: string) => Promise<RateCount>
}

/** Counts in memory. When there are more than `maxKeys` keys, the least recently counted are dropped. */
export function createRateCounter(clock: Clock, windowMs: number, maxKeys = 50_000): RateCounter {
  const windows = new RecentMap<string, RateCount>(maxKeys)

  const current = (key: string): RateCount => {
    const window = windows.get(key)
    const now = clock.now()
    return window && window.endsAt > now ? window : { count: 0, endsAt: now + windowMs }
  }

  return {
    async add(key) {
      const window = current(key)
      window.count++
      windows.set(key, window)
      return { ...window }
    },
    readCount: async (key) => ({ ...current(key) }),
  }
}

export type RateCountTable = {
  /** The name of the counter, a space, and the counted key. */
  key: string
  count: number
  ends_at: number
}

declare module '../database/tables.ts' {
  interface Tables {
    rate_counts: RateCountTable
  }
}

/** Counts in a table on PostgreSQL, in memory on SQLite. A crash of the database server may lose the counts. */
export function createSharedRateCounter(ctx: PlatformContext, name: string, windowMs: number): RateCounter {
  const { database, db, clock } = ctx
  if (database.kind === 'sqlite') return createRateCounter(clock, windowMs)
  const rowKey = (key: string) => `${name} ${key}`

  return {
    /** A single statement, so that concurrent calls on several nodes are all counted. */
    async add(key) {
      const now = clock.now()
      const isOver = sql<boolean>`rate_counts.ends_at <= ${now}`
      const { count, ends_at } = await db
        .insertInto('rate_counts')
        .values({ key: rowKey(key), count: 1, ends_at: now + windowMs })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            count: sql`case when ${isOver} then 1 else rate_counts.count + 1 end`,
            ends_at: sql`case when ${isOver} then excluded.ends_at else rate_counts.ends_at end`,
          }),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirstOrThrow()
      return { count, endsAt: ends_at }
    },

    async readCount(key) {
      const now = clock.now()
      const row = await db
        .selectFrom('rate_counts')
        .select(['count', 'ends_at'])
        .where('key', '=', rowKey(key))
        .where('ends_at', '>', now)
        .executeTakeFirst()
      return row ? { count: row.count, endsAt: row.ends_at } : { count: 0, endsAt: now + windowMs }
    },
  }
}

export async function pruneRateCounts({ db, clock }: PlatformContext): Promise<void> {
  await db.deleteFrom('rate_counts').where('ends_at', '<=', clock.now()).execute()
}
