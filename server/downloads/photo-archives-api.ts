import type { FastifyReply, FastifyRequest } from 'fastify'
import { GridArchiveQuery } from '../../contract/photo-grid.ts'
import { DownloadPhotosQuery, PhotosZip } from '../../contract/photos.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { choosePhotos, parsePhotoIds } from '../photos/lists/choose-photos.ts'
import { parseGridFilter } from '../photos/lists/grid-filters.ts'
import { parseMarkFilter } from '../photos/lists/mark-filter-rules.ts'
import type { PhotoFilter } from '../photos/lists/photo-filters.ts'
import { filterByDecision } from '../photos/versions/review-photos.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { sendPhotoArchive } from './photo-reply.ts'
import { zipPhotos } from './zip-photos.ts'

export const photoArchivesApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/events/:event_id/photos/download',
    {
      schema: {
        operationId: 'downloadPhotos',
        tags: ['photos'],
        summary: 'Download the originals of an event as a ZIP, including hidden photos',
        description:
          'Accepts the filters of the list. The originals are unchanged and in the order of the list. If two have the same name, the second gets `_1`. Supports HEAD, ' +
          'If-None-Match, Range and If-Range, so that interrupted downloads can be resumed. It does not change download counts.',
        params: IdParams('event_id'),
        querystring: DownloadPhotosQuery,
        response: PhotosZip,
      },
      config: {
        scope: 'read',
        permission: ['photos.view', 'photos.download'],
        problems: ['EVENT_ARCHIVED', 'INVALID_PHOTO_IDS', 'NO_PHOTOS'],
      },
    },
    async (request, reply) => {
      const { ids } = request.query
      const parseFilter = () => ({ marked: { filter: parseMarkFilter(request.query), userId: request.caller.user.id } })
      return sendOriginals(ctx, request, reply, { eventId: request.params.event_id, ids, parseFilter })
    },
  )
}

export const gridArchiveApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/photos/:event_id/download',
    {
      schema: {
        operationId: 'downloadGridPhotos',
        tags: ['photos'],
        summary: 'Download selected originals as a ZIP, including hidden photos',
        description:
          'Accepts the filters of the list of photos, or IDs. The originals are unchanged and in upload order. If two have the same name, ' +
          'the second gets `_1`. Supports HEAD, If-None-Match, Range and If-Range. It does not change download counts.',
        params: IdParams('event_id'),
        querystring: GridArchiveQuery,
        response: PhotosZip,
      },
      config: {
        permission: ['photos.view', 'photos.download'],
        problems: ['EVENT_ARCHIVED', 'INVALID_PHOTO_IDS', 'NO_PHOTOS'],
      },
    },
    async (request, reply) => {
      const { ids } = request.query
      const parseFilter = (event: EventRow) =>
        filterByDecision(ctx.db, event, parseGridFilter(request.query, request.caller.user.id), request.query.decision)
      return sendOriginals(ctx, request, reply, { eventId: request.params.event_id, ids, parseFilter })
    },
  )
}

type OriginalsChoice = {
  eventId: number
  ids: string | undefined
  parseFilter: (event: EventRow) => PhotoFilter | Promise<PhotoFilter>
}

async function sendOriginals(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { eventId, ids, parseFilter }: OriginalsChoice,
): Promise<unknown> {
  const chosenIds = ids === undefined ? undefined : parsePhotoIds(ids)
  const event = await getOwnedEvent(ctx, request.caller, eventId)
  assertNotArchived(event)
  const chosen = choosePhotos(ctx, event.id, { ids: chosenIds, filter: await parseFilter(event) })
  return sendPhotoArchive(request, reply, await zipPhotos(ctx, event, chosen), { downloadName: `${event.slug}.zip` })
}
