import { sql } from 'kysely'
import type { Dashboard } from '../../contract/instance/dashboard.ts'
import type { AccountCaller } from '../access/callers.ts'
import { epochDay } from '../events/event-days.ts'
import { ownedEventIds } from '../events/event-ownership.ts'
import { presentEvents } from '../events/event-rows.ts'
import { sumOfVersionBytes } from '../events/photo-version.ts'
import { hasTrashedEvents } from '../events/trash/trashed-event-rows.ts'
import type { Database } from '../platform/database/tables.ts'
import { days, isoTime } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { listActs } from './activity/list-acts.ts'
import { isInScope, maxListed, type Scope } from './dashboard-scope.ts'
import { listOpenSelections, listWaiting } from './list-waiting.ts'

const soonMs = days(14)

/** Returns the figures of the events that the caller owns; a super_admin gets those of all events. */
export async function readDashboard(ctx: AppContext, caller: AccountCaller, dayCount: number): Promise<Dashboard> {
  const { db, clock } = ctx
  // If the trash is empty, the figures of all events do not need a list of events.
  const includesAll = caller.user.role === 'super_admin' && !(await hasTrashedEvents(db))
  const scope: Scope = includesAll ? null : ownedEventIds(db, caller.user)
  const now = clock.now()
  const [{ views, downloads, ...events }, photos, feedback, waiting, selections, soon, series, guests, accounts] =
    await Promise.all([
      countEvents(db, scope, now),
      countPhotos(db, scope),
      countFeedback(db, scope),
      listWaiting(db, scope),
      listOpenSelections(db, scope),
      listExpiringSoon(db, scope, now),
      readDays(db, scope, now, dayCount),
      listActs(ctx, caller, { by: 'guests', limit: maxListed }),
      listActs(ctx, caller, { by: 'accounts', limit: maxListed }, { includesSignIns: false }),
    ])
  return {
    events,
    photos,
    visits: { views, downloads },
    feedback,
    waiting,
    selections,
    expiring_soon: soon,
    days: series,
    acts: { guests: guests.acts, accounts: accounts.acts },
  }
}

/** Scans all events, which is cheap: an instance has far fewer events than photos. */
async function countEvents(db: Database, scope: Scope, now: number) {
  const isLive = sql`is_draft = 0 and is_archived = 0`
  const counts = await db
    .selectFrom(presentEvents(db))
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

async function listExpiringSoon(db: Database, scope: Scope, now: number): Promise<Dashboard['expiring_soon']> {
  const rows = await db
    .selectFrom(presentEvents(db))
    .where(isInScope(scope, 'id'))
    .select(['id', 'slug', 'event_name', 'expires_at'])
    .where('is_draft', '=', 0)
    .where('is_archived', '=', 0)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + soonMs)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(maxListed)
    .execute()
  return rows.map((row) => ({ ...row, expires_at: isoTime(row.expires_at) }))
}

const toNumbers = <T extends Record<string, unknown>>(counts: T): { [K in keyof T]: number } =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])) as { [K in keyof T]: number }

async function countPhotos(db: Database, scope: Scope) {
  const totals = await db
    .selectFrom('event_photo_totals')
    .where(isInScope(scope, 'event_id'))
    .select([
      sql<number>`coalesce(sum(photo_count), 0)`.as('total'),
      sql<number>`coalesce(sum(total_size), 0)`.as('size_bytes'),
    ])
    .executeTakeFirstOrThrow()
  const versions = await db
    .selectFrom('photo_versions')
    .select(sumOfVersionBytes.as('bytes'))
    .where(isInScope(scope, 'event_id'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const photos = db
    .selectFrom('photos')
    .where(isInScope(scope, 'event_id'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
  // Literals instead of parameters, so that the partial indexes are used.
  const videos = await photos.where(sql<boolean>`media_type = 'video'`).executeTakeFirstOrThrow()
  const unready = photos.where(sql<boolean>`processing_status <> 'ready'`)
  const processing = await unready.where('processing_status', '=', 'processing').executeTakeFirstOrThrow()
  const failed = await unready.where('processing_status', '=', 'failed').executeTakeFirstOrThrow()
  const size_bytes = Number(totals.size_bytes) + Number(versions.bytes)
  return toNumbers({ ...totals, size_bytes, videos: videos.count, processing: processing.count, failed: failed.count })
}

/** Sums the counters of each photo, so that the cost does not grow with the amount of feedback. */
async function countFeedback(db: Database, scope: Scope) {
  const sumOf = (columns: string) => sql<number>`coalesce(sum(${sql.raw(columns)}), 0)`
  const counts = await db
    .selectFrom('photo_marks')
    .where(isInScope(scope, 'event_id'))
    .select([
      sumOf('case when feedback_count > 0 then 1 else 0 end').as('marked_photos'),
      sumOf('rating_count').as('ratings'),
      sumOf('red + yellow + green + blue + purple').as('color_labels'),
      sumOf('like_count').as('likes'),
      sumOf('favorite_count').as('favorites'),
      sumOf('comment_count').as('comments'),
    ])
    .executeTakeFirstOrThrow()
  const waiting = await db
    .selectFrom('feedback')
    .where(isInScope(scope, 'event_id'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    // A literal instead of a parameter, so that the partial index is used.
    .where(sql<boolean>`is_visible = 0`)
    .where('judged_at', 'is', null)
    .executeTakeFirstOrThrow()
  return toNumbers({ ...counts, comments_waiting: waiting.count })
}

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
async function readDays(db: Database, scope: Scope, now: number, count: number): Promise<Dashboard['days']> {
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
