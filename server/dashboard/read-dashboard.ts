import type { Dashboard } from '../../contract/dashboard.ts'
import type { AccountCaller } from '../access/callers.ts'
import { activityRecord, listActivity } from '../activity/list-activity.ts'
import { days } from '../platform/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getScope } from './dashboard-scope.ts'
import { readDays } from './day-figures.ts'
import { countEvents, listExpiringSoon } from './event-figures.ts'
import { countFeedback } from './feedback-figures.ts'
import { countPhotos } from './photo-figures.ts'

const soonMs = days(14)
const maxListed = 10

/** Returns the figures of the events that the caller owns; a super_admin gets those of all events. */
export async function readDashboard(ctx: AppContext, caller: AccountCaller, dayCount: number): Promise<Dashboard> {
  const { db, clock } = ctx
  const scope = getScope(db, caller)
  const now = clock.now()
  const [{ views, downloads, ...events }, photos, feedback, soon, series, { rows }] = await Promise.all([
    countEvents(db, scope, now),
    countPhotos(db, scope),
    countFeedback(db, scope),
    listExpiringSoon(db, scope, { now, until: now + soonMs, limit: maxListed }),
    readDays(db, scope, now, dayCount),
    listActivity(ctx, caller, { page: 1, limit: maxListed }),
  ])
  return {
    events,
    photos,
    visits: { views, downloads },
    feedback,
    expiring_soon: soon,
    days: series,
    activity: rows.map(activityRecord),
  }
}
