import { type RawBuilder, sql } from 'kysely'
import type { GuestAct } from '../../../contract/gallery/guest-acts.ts'
import type { ActRow, ListActRowsQuery } from '../../../contract/instance/acts.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { getOwnedEvent, ownedEventIds } from '../../events/event-ownership.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Database } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { actionsOf, lockedSuffix } from './account-acts.ts'
import { hourMs, parseFoldId } from './act-queries.ts'
import { isGuestAct } from './guest-acts.ts'

type FoldKey = ReturnType<typeof parseFoldId>

/**
 * Lists the single acts of a fold, newest first; none for visits, which are only counted. Throws FORBIDDEN, and NOT_FOUND
 * for an event that does not exist or an act of another kind.
 */
export async function listSingleActs(ctx: PlatformContext, caller: AccountCaller, id: string, query: ListActRowsQuery) {
  const { db } = ctx
  const fold = parseFoldId(id)
  const rows = query.by === 'guests' ? await guestRows(ctx, caller, fold) : accountRows(db, caller, fold)
  const { page, limit } = query
  const selected = rows ?? noRows
  const total = await sql<{ total: number }>`select count(*) as total from (${selected}) as acts`.execute(db)
  const found =
    await sql<Row>`select acts.*, photos.original_filename from (${selected}) as acts left join photos on photos.id = acts.photo_id
    order by acts.at desc, acts.id desc limit ${limit} offset ${(page - 1) * limit}`.execute(db)
  return { rows: found.rows.map(describeRow), pagination: toPagination({ page, limit }, total.rows[0]?.total ?? 0) }
}

type Row = {
  at: number
  count: number
  photo_id: number | null
  original_filename: string | null
  detail: string | null
  via: string | null
  address: string | null
}

const noRows = sql`select id, created_at as at, 1 as count, photo_id, text as detail, null as via, null as address
  from threads where false`

const describeRow = ({ at, count, photo_id, original_filename, detail, via, address }: Row): ActRow => ({
  at: isoTime(Number(at)),
  count: Number(count),
  photo: photo_id === null || original_filename === null ? null : { id: Number(photo_id), original_filename },
  detail,
  via,
  address,
})

const isIn = (column: string, { time }: FoldKey): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} >= ${time} and ${sql.ref(column)} < ${time + hourMs}`

const isOf = ({ event_id, person }: FoldKey): RawBuilder<boolean> =>
  sql<boolean>`event_id = ${event_id} and coalesce(guest_id, '') = ${person}`

const nothingElse = sql`null as via, null as address`

/** Returns null for visits. */
async function guestRows(ctx: PlatformContext, caller: AccountCaller, fold: FoldKey) {
  if (!isGuestAct(fold.act)) throw new AppError('NOT_FOUND')
  await getOwnedEvent(ctx, caller, fold.event_id)
  return rowsOfAct[fold.act]?.(fold) ?? null
}

const feedbackRows = (fold: FoldKey) => sql`
  select id, updated_at as at, 1 as count, photo_id,
    coalesce(comment_text, color_label, cast(rating as text)) as detail, ${nothingElse}
  from feedback where kind = ${fold.act} and ${isOf(fold)} and ${isIn('updated_at', fold)}`

const rowsOfAct: Partial<Record<GuestAct, (fold: FoldKey) => RawBuilder<unknown>>> = {
  favorite: feedbackRows,
  like: feedbackRows,
  rating: feedbackRows,
  color_label: feedbackRows,
  comment: feedbackRows,
  note: (fold) => sql`
    select id, created_at as at, 1 as count, photo_id, text as detail, ${nothingElse}
    from threads where kind <> 'comment' and ${isOf(fold)} and ${isIn('created_at', fold)}`,
  selection: (fold) => sql`
    select id, created_at as at, photo_count as count, cast(null as integer) as photo_id, note as detail, ${nothingElse}
    from selections where ${isOf(fold)} and ${isIn('created_at', fold)}`,
  upload: (fold) => sql`
    select id, uploaded_at as at, 1 as count, id as photo_id, null as detail, ${nothingElse}
    from photos where uploaded_by = 'guest' and event_id = ${fold.event_id} and ${isIn('uploaded_at', fold)}
      and coalesce((select merged_into from guests where guests.id = photos.guest_id), photos.guest_id, '') = ${fold.person}`,
}

/** Accounts see what they did themselves and what concerns their events. */
function accountRows(db: Database, { user }: AccountCaller, fold: FoldKey) {
  const { act, event_id, person } = fold
  const isLocked = act.endsWith(lockedSuffix)
  const isVisible =
    user.role === 'super_admin' ? sql`true` : sql`(user_id = ${user.id} or event_id in ${ownedEventIds(db, user)})`
  const isPerson = person === '' ? sql`user_id is null` : sql`user_id = ${Number(person)}`
  return sql`
    select id, at, count, cast(null as integer) as photo_id,
      cast(null as text) as detail, via, address
    from activity where ${isIn('at', fold)} and ${isPerson} and ${isVisible}
      and coalesce(event_id, 0) = ${event_id}
      and action in (${sql.join(actionsOf(isLocked ? act.slice(0, -lockedSuffix.length) : act))})
      and outcome = ${isLocked ? 'locked' : 'done'}`
}
