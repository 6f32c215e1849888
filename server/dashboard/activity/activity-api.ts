import { ActivityList, ListActivityQuery } from '../../../contract/instance/activity.ts'
import { ActList, ActParams, ActRows, ListActRowsQuery, ListActsQuery } from '../../../contract/instance/acts.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { ActivityLog } from './activity-log.ts'
import { activityRecord, listActivity } from './list-activity.ts'
import { listActs } from './list-acts.ts'
import { listSingleActs } from './list-single-acts.ts'

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

  app.get(
    '/activity/acts',
    {
      schema: {
        operationId: 'listActs',
        tags: ['instance'],
        summary: 'List what people did, newest first',
        description:
          'What guests did in galleries, or what accounts and API tokens did. The same act by the same person on the same ' +
          'event is one entry for each hour. A super admin sees all entries. Other accounts see entries about their events ' +
          'and about themselves.',
        querystring: ListActsQuery,
        response: { 200: ActList },
      },
      config: { permission: 'events.view', problems: ['NOT_FOUND'] },
    },
    async ({ caller, query }) => {
      await activity.flush()
      return listActs(ctx, caller, query)
    },
  )

  app.get(
    '/activity/acts/:act_id',
    {
      schema: {
        operationId: 'listActRows',
        tags: ['instance'],
        summary: 'List the single acts of an entry, newest first',
        description: 'Visits are only counted, so they have no rows.',
        params: ActParams,
        querystring: ListActRowsQuery,
        response: { 200: ActRows },
      },
      config: { permission: 'photos.view', problems: ['NOT_FOUND', 'FORBIDDEN'] },
    },
    async ({ caller, params, query }) => listSingleActs(ctx, caller, params.act_id, query),
  )
}
