import { KnownBody, KnownReply } from '../../contract/bulk-photos.ts'
import { GridArchiveQuery, GridIds, GridIdsQuery, GridList, GridQuery, GridZip } from '../../contract/photo-grid.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { choosePhotos, readPhotoIds } from './choose-photos.ts'
import { findKnown, findKnownSizes } from './find-known.ts'
import { gridFilter } from './grid-filters.ts'
import { listGrid, readGridWish } from './list-grid.ts'
import { photoRecord } from './photo-records.ts'
import { sendPhotoArchive } from './send-photo-archive.ts'
import { listGridIds, streamGrid } from './stream-grid.ts'
import { zipPhotos } from './zip-photos.ts'

export const photoGridApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/photos/:event_id/photos',
    {
      // HEAD would read all photos and discard them.
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
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const wish = readGridWish(request.query, { eventId: event.id, userId: request.caller.user.id })
      if (limit === undefined) {
        const whole = await streamGrid(ctx, wish, event.slug)
        return reply.type('application/json; charset=utf-8').send(whole as never)
      }
      const { photos, pagination } = await listGrid(ctx, wish, limit)
      return { photos: photos.map((photo) => photoRecord(photo, event.slug)), pagination }
    },
  )

  app.get(
    '/photos/:event_id/photo-ids',
    {
      schema: {
        operationId: 'listGridPhotoIds',
        tags: ['photos'],
        summary: 'The ids of the photos of an event',
        description:
          'As the list of photos with the same filters, without limit, in its order: to name many of them at once.',
        params: IdParams('event_id'),
        querystring: GridIdsQuery,
        response: { 200: GridIds },
      },
      config: { permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const wish = readGridWish(request.query, { eventId: event.id, userId: request.caller.user.id })
      return { ids: await listGridIds(ctx, wish) }
    },
  )

  app.get(
    '/photos/:event_id/download',
    {
      schema: {
        operationId: 'downloadGridPhotos',
        tags: ['photos'],
        summary: 'The originals of chosen photos, hidden ones included, as one ZIP',
        description:
          'Takes the filters of the list of photos, or ids. Byte for byte, in the order of their upload; of two with one name ' +
          'the second gets `_1`. Answers HEAD, If-None-Match, Range and If-Range. It counts for nothing.',
        params: IdParams('event_id'),
        querystring: GridArchiveQuery,
        response: GridZip,
      },
      config: {
        permission: ['photos.view', 'photos.download'],
        problems: ['EVENT_ARCHIVED', 'INVALID_PHOTO_IDS', 'NO_PHOTOS'],
      },
    },
    async (request, reply) => {
      const ids = request.query.ids === undefined ? undefined : readPhotoIds(request.query.ids)
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      assertNotArchived(event)
      const filter = gridFilter(request.query, request.caller.user.id)
      const archive = await zipPhotos(ctx, event, choosePhotos(ctx, event.id, { ids, filter }))
      return sendPhotoArchive(request, reply, archive, { downloadName: `${event.slug}.zip` })
    },
  )

  app.post(
    '/photos/:event_id/known',
    {
      schema: {
        operationId: 'findKnownPhotos',
        tags: ['uploads'],
        summary: 'Which files an event has already, by their content_hash',
        description:
          'What is known need not be uploaded again. Asking for sizes first spares reading files that are new.',
        params: IdParams('event_id'),
        body: KnownBody,
        response: { 200: KnownReply },
      },
      config: { permission: 'photos.view', isUntold: true },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { hashes, sizes } = request.body
      const known = await findKnown(ctx, event.id, hashes)
      return sizes ? { known, sizes: await findKnownSizes(ctx, event.id, sizes) } : { known }
    },
  )
}
