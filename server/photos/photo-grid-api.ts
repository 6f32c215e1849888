import { KnownBody, KnownReply } from '../../contract/bulk-photos.ts'
import { GridList, GridQuery } from '../../contract/photo-grid.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { House } from '../settings/house.ts'
import { findKnown } from './find-known.ts'
import { listGrid, readGridWish } from './list-grid.ts'
import { photoRecord } from './photo-records.ts'
import { streamGrid } from './stream-grid.ts'

/** What an operator sees of the photos of an event. */
export const photoGridApi = (house: House) => async (app: Http) => {
  app.get(
    '/photos/:event_id/photos',
    {
      // HEAD would read all photos for nobody.
      exposeHeadRoute: false,
      schema: {
        operationId: 'listGridPhotos',
        tags: ['photos'],
        summary: 'Photos of an event with their marks, hidden ones included',
        description:
          'Without `limit` all photos that pass, streamed as one answer. Go on with `after` where photos come and go: ' +
          'none is shown twice. Marks are those of the guests and your own; a filter that is left empty is none.',
        params: IdParams('event_id'),
        querystring: GridQuery,
        response: { 200: GridList },
      },
      config: { permission: 'photos.view' },
    },
    async (request, reply) => {
      const { limit } = request.query
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      const wish = readGridWish(request.query, { eventId: event.id, userId: request.caller.user.id })
      if (limit === undefined) {
        const whole = await streamGrid(house, wish, event.slug)
        return reply.type('application/json; charset=utf-8').send(whole as never)
      }
      const { photos, pagination } = await listGrid(house, wish, limit)
      return { photos: photos.map((photo) => photoRecord(photo, event.slug)), pagination }
    },
  )

  app.post(
    '/photos/:event_id/known',
    {
      schema: {
        operationId: 'findKnownPhotos',
        tags: ['uploads'],
        summary: 'Which files an event has already, by their content_hash',
        description: 'What is known need not be uploaded again.',
        params: IdParams('event_id'),
        body: KnownBody,
        response: { 200: KnownReply },
      },
      config: { permission: 'photos.view', isUntold: true },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      return { known: await findKnown(house, event.id, request.body.hashes) }
    },
  )
}
