import { ActivityList, ListActivityQuery } from '../../contract/activity.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { ActivityLog } from './activity-log.ts'
import { activityRecord, listActivity } from './list-activity.ts'

export const activityApi = (ctx: AppContext, activity: ActivityLog) => async (app: Http) => {
  app.get(
    '/activity',
    {
      schema: {
        operationId: 'listActivity',
        tags: ['instance'],
        summary: 'Who did what, the last first',
        description:
          'Every change by an account or an API token, signing in and out, and sign-ins that were refused by the lock. ' +
          'A super admin sees all of it, others what concerns their events and themselves.',
        querystring: ListActivityQuery,
        response: { 200: ActivityList },
      },
      config: { permission: 'events.view', problems: ['NOT_FOUND'] },
    },
    async (request) => {
      // The list must include all earlier requests to this node.
      await activity.flush()
      const { rows, pagination } = await listActivity(ctx, request.caller, request.query)
      return { activity: rows.map(activityRecord), pagination }
    },
  )
}
