import { type SqlBool, sql } from 'kysely'
import { RecentMap } from '../../platform/background/recent-map.ts'
import type { Database } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { seconds } from '../../platform/time/clock.ts'

/** Marks: ratings, color labels, likes and favorites of guests. `other`: everything else that `countRows` counts. */
export type GuestRowKind = 'mark' | 'other'

type RowCounts = Record<GuestRowKind, number>

const maxRows: RowCounts = { mark: 1_000_000, other: 200_000 }
const maxMarksPerPhoto = 20
const recountAfterMs = seconds(10)

export type GuestRowLimits = ReturnType<typeof createGuestRowLimits>

/**
 * Limits the rows that the guests of an event store. Between two counts, this process adds its own requests, also those
 * that replace a row. Other nodes can exceed the limit by what they store in 10 seconds.
 */
export function createGuestRowLimits({ db, clock }: Pick<PlatformContext, 'db' | 'clock'>, max = maxRows) {
  const events = new RecentMap<number, { countedAt: number; left: Promise<RowCounts> }>(2_000)

  async function countLeft(eventId: number): Promise<RowCounts> {
    const { photos, mark, other } = await countRows(db, eventId)
    return { mark: Math.max(max.mark, maxMarksPerPhoto * photos) - mark, other: max.other - other }
  }

  function startCount(eventId: number): Promise<RowCounts> {
    const counted = { countedAt: clock.now(), left: countLeft(eventId) }
    counted.left.catch(() => {
      counted.countedAt = Number.NEGATIVE_INFINITY
    })
    events.set(eventId, counted)
    return counted.left
  }

  return {
    /** Counts one more row. Throws STORAGE_FULL. */
    async addRow(eventId: number, kind: GuestRowKind): Promise<void> {
      const counted = events.get(eventId)
      const isRecent = counted !== undefined && clock.now() - counted.countedAt < recountAfterMs
      const left = await (isRecent ? counted.left : startCount(eventId))
      if (left[kind] <= 0) throw new AppError('STORAGE_FULL', { text: tooManyRows[kind] })
      left[kind]--
    },
  }
}

const tooManyRows: Record<GuestRowKind, string> = {
  mark: 'This gallery has reached its limit of ratings, colors, likes and favorites.',
  other: 'This gallery has reached its limit of comments, notes, guests and selections.',
}

/** Each count reads one index. */
async function countRows(db: Database, eventId: number): Promise<RowCounts & { photos: number }> {
  const found = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('feedback').select(fn.countAll<number>().as('n')).where('event_id', '=', eventId).as('feedback'),
      selectFrom('feedback')
        .select(fn.countAll<number>().as('n'))
        .where('event_id', '=', eventId)
        // The same condition as that of the index.
        .where(sql<SqlBool>`kind = 'comment'`)
        .as('comments'),
      selectFrom('guests').select(fn.countAll<number>().as('n')).where('event_id', '=', eventId).as('guests'),
      // Each comment has a thread.
      selectFrom('threads').select(fn.countAll<number>().as('n')).where('event_id', '=', eventId).as('threads'),
      selectFrom('thread_messages').select(fn.countAll<number>().as('n')).where('event_id', '=', eventId).as('answers'),
      selectFrom('guest_links').select(fn.countAll<number>().as('n')).where('event_id', '=', eventId).as('links'),
      selectFrom('selections').select(fn.countAll<number>().as('n')).where('event_id', '=', eventId).as('selections'),
      selectFrom('version_decisions')
        .select(fn.countAll<number>().as('n'))
        .where('event_id', '=', eventId)
        .as('decisions'),
      selectFrom('feedback_changes')
        .select(fn.countAll<number>().as('n'))
        .where('event_id', '=', eventId)
        .as('changes'),
      selectFrom('idempotency_keys')
        .select(fn.countAll<number>().as('n'))
        .where('event_id', '=', eventId)
        .as('replies'),
      selectFrom('event_photo_totals').select('photo_count').where('event_id', '=', eventId).as('photos'),
    ])
    .executeTakeFirstOrThrow()
  const { feedback, comments, photos, ...others } = mapToNumbers(found)
  return { photos, mark: feedback - comments, other: Object.values(others).reduce((sum, n) => sum + n, 0) }
}

/** PostgreSQL returns counts as text. */
const mapToNumbers = <T extends Record<string, unknown>>(row: T): Record<keyof T, number> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value ?? 0)])) as Record<keyof T, number>
