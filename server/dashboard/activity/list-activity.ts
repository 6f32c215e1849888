import type { ActivityRecord, ListActivityQuery } from '../../../contract/instance/activity.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { getOwnedEvent, ownedEventIds } from '../../events/event-ownership.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { parseInputTime } from '../../platform/time/input-times.ts'
import type { ActivityRow } from './activity-rows.ts'

type NamedActivity = ActivityRow & { username: string | null; event_name: string | null }

/**
 * Lists operations, newest first. A super_admin sees all, others see what they did and what concerns their events.
 * Throws NOT_FOUND, FORBIDDEN and VALIDATION_ERROR.
 */
export async function listActivity(ctx: PlatformContext, caller: AccountCaller, query: ListActivityQuery) {
  const { page, limit } = query
  if (query.event_id !== undefined) await getOwnedEvent(ctx, caller, query.event_id)
  const activity = visibleActivity(ctx, caller, query)
  const { total } = await activity.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await activity
    .leftJoin('users', 'users.id', 'activity.user_id')
    .leftJoin(ownedEventIds(ctx.db, caller.user).select('events.event_name').as('events'), (join) =>
      join.onRef('events.id', '=', 'activity.event_id'),
    )
    .selectAll('activity')
    .select(['users.username', 'events.event_name'])
    .orderBy('activity.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { rows, pagination: toPagination(query, total) }
}

function visibleActivity({ db }: PlatformContext, { user }: AccountCaller, query: ListActivityQuery) {
  let activity = db.selectFrom('activity')
  if (user.role !== 'super_admin') {
    activity = activity.where((where) =>
      where.or([where('activity.user_id', '=', user.id), where('activity.event_id', 'in', ownedEventIds(db, user))]),
    )
  }
  if (query.event_id !== undefined) activity = activity.where('activity.event_id', '=', query.event_id)
  if (query.user_id !== undefined) activity = activity.where('activity.user_id', '=', query.user_id)
  if (query.action !== undefined) activity = activity.where('activity.action', '=', query.action)
  if (query.since !== undefined) activity = activity.where('activity.at', '>=', parseInputTime('since', query.since))
  return activity
}

export const activityRecord = (row: NamedActivity): ActivityRecord => ({
  id: row.id,
  at: isoTime(row.at),
  action: row.action,
  outcome: row.outcome,
  user: row.user_id === null ? null : { id: row.user_id, username: row.username },
  via: row.via,
  token_id: row.token_id,
  address: row.address,
  event: row.event_id === null ? null : { id: row.event_id, event_name: row.event_name },
  subject: row.subject,
  subject_ids: JSON.parse(row.subject_ids) as number[],
  count: row.count,
})
