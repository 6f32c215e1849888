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
        summary: 'List the activity, newest first',
        description:
          'All changes by accounts and API tokens, sign-ins, sign-outs, and sign-ins that were rejected because of a lock. ' +
          'A super admin sees all entries. Other accounts see entries about themselves and their events.',
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
