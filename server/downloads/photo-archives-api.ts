import { DownloadPhotosQuery, PhotosZip } from '../../contract/photo-archives.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { choosePhotos, parsePhotoIds } from '../photo-lists/choose-photos.ts'
import { parseMarkFilter } from '../photo-lists/mark-filter-rules.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { sendPhotoArchive } from './photo-archive-reply.ts'
import { zipPhotos } from './zip-photos.ts'

export const photoArchivesApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/events/:event_id/photos/download',
    {
      schema: {
        operationId: 'downloadPhotos',
        tags: ['photos'],
        summary: 'The originals of the photos of an event, hidden ones included, as one ZIP',
        description:
          'Takes the filters of the list. Byte for byte, in the order of the list; of two with one name the second gets `_1`. Answers HEAD, ' +
          'If-None-Match, Range and If-Range: a download that broke off goes on where it ended. It counts for nothing.',
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
      const ids = request.query.ids === undefined ? undefined : parsePhotoIds(request.query.ids)
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      assertNotArchived(event)
      const marked = { filter: parseMarkFilter(request.query), userId: request.caller.user.id }
      const archive = await zipPhotos(ctx, event, choosePhotos(ctx, event.id, { ids, filter: { marked } }))
      return sendPhotoArchive(request, reply, archive, { downloadName: `${event.slug}.zip` })
    },
  )
}
