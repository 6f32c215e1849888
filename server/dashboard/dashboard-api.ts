import { Dashboard, DashboardQuery } from '../../contract/instance/dashboard.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { ActivityLog } from './activity/activity-log.ts'
import { readDashboard } from './read-dashboard.ts'

export const dashboardApi = (ctx: AppContext, activity: ActivityLog) => async (app: Http) => {
  app.get(
    '/dashboard',
    {
      schema: {
        operationId: 'getDashboard',
        tags: ['instance'],
        summary: 'Get the dashboard totals',
        description: 'Counts the events that you own. A super admin gets the totals of all events.',
        querystring: DashboardQuery,
        response: { 200: Dashboard },
      },
      config: { permission: 'events.view' },
    },
    async (request) => {
      await activity.flush()
      return readDashboard(ctx, request.caller, Number(request.query.days))
    },
  )
}
