import { GridArchiveQuery, GridZip } from '../../contract/photo-grid.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { choosePhotos, parsePhotoIds } from '../photo-lists/choose-photos.ts'
import { parseGridFilter } from '../photo-lists/grid-filters.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { sendPhotoArchive } from './photo-archive-reply.ts'
import { zipPhotos } from './zip-photos.ts'

export const gridArchiveApi = (ctx: AppContext) => async (app: Http) => {
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
      const ids = request.query.ids === undefined ? undefined : parsePhotoIds(request.query.ids)
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      assertNotArchived(event)
      const filter = parseGridFilter(request.query, request.caller.user.id)
      const archive = await zipPhotos(ctx, event, choosePhotos(ctx, event.id, { ids, filter }))
      return sendPhotoArchive(request, reply, archive, { downloadName: `${event.slug}.zip` })
    },
  )
}
