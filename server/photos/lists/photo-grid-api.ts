import { GridIds, GridIdsQuery, GridList, GridQuery } from '../../../contract/photo-grid.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { EventRow } from '../../events/event-rows.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { filterByDecision } from '../versions/review-photos.ts'
import { createGridRecords } from './grid-records.ts'
import { listGrid, parseGridQuery } from './list-grid.ts'
import { listGridIds, streamGrid } from './stream-grid.ts'

export const photoGridApi = (ctx: AppContext) => async (app: Http) => {
  async function parseQuery(event: EventRow, userId: number, query: GridIdsQuery & { page?: number; after?: string }) {
    const gridQuery = parseGridQuery(query, { eventId: event.id, userId })
    return { ...gridQuery, filter: await filterByDecision(ctx.db, event, gridQuery.filter, query.decision) }
  }

  app.get(
    '/photos/:event_id/photos',
    {
      // HEAD would read all photos and discard them.
      exposeHeadRoute: false,
      schema: {
        operationId: 'listGridPhotos',
        tags: ['photos'],
        summary: 'List the photos of an event with their marks, including hidden photos',
        description:
          'Without `limit`, all matching photos are streamed in one response. Use `after` for pages if photos are added or deleted in between: ' +
          'no photo is repeated. Marks are those of guests and your own. An empty filter is ignored.',
        params: IdParams('event_id'),
        querystring: GridQuery,
        response: { 200: GridList },
      },
      config: { permission: 'photos.view' },
    },
    async (request, reply) => {
      const { limit } = request.query
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const gridQuery = await parseQuery(event, request.caller.user.id, request.query)
      if (limit === undefined) {
        const stream = await streamGrid(ctx, gridQuery, event.slug)
        return reply.type('application/json; charset=utf-8').send(stream as never)
      }
      const { photos, pagination } = await listGrid(ctx, gridQuery, limit)
      return { photos: await createGridRecords(ctx.db, photos, event.slug), pagination }
    },
  )

  app.get(
    '/photos/:event_id/photo-ids',
    {
      schema: {
        operationId: 'listGridPhotoIds',
        tags: ['photos'],
        summary: 'List the IDs of the photos of an event',
        description:
          'Uses the filters and the order of the list of photos, without a limit, for actions on many photos.',
        params: IdParams('event_id'),
        querystring: GridIdsQuery,
        response: { 200: GridIds },
      },
      config: { permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const gridQuery = await parseQuery(event, request.caller.user.id, request.query)
      return { ids: await listGridIds(ctx, gridQuery) }
    },
  )
}
