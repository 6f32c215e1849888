import { MovePhotosBody, MovePhotosReply } from '../../contract/bulk-photos.ts'
import { CameraFacts } from '../../contract/camera-facts.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { movePhotos } from './move-photos.ts'
import { readCameraFacts } from './read-camera-facts.ts'

export const photosAdminApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/photos/:event_id/photos/:photo_id/camera',
    {
      schema: {
        operationId: 'getCameraFacts',
        tags: ['photos'],
        summary: 'Get the camera, the lens and the exposure of a photo',
        description:
          'Read from the EXIF data of the original, without the location. Fields that it does not contain are null.',
        params: IdParams('event_id', 'photo_id'),
        response: { 200: CameraFacts },
      },
      config: { permission: 'photos.view', problems: ['PREVIEW_UNAVAILABLE', 'PHOTO_FILE_MISSING'] },
    },
    async ({ caller, params }) => {
      const { id } = await getOwnedEvent(ctx, caller, params.event_id)
      return readCameraFacts(ctx, id, params.photo_id)
    },
  )

  app.put(
    '/photos/:event_id/order',
    {
      schema: {
        operationId: 'movePhotos',
        tags: ['photos'],
        summary: 'Put photos before or after another photo in the order by hand',
        description:
          'For lists with `sort=manual`, and for guests if `default_photo_sort` of the event is `manual`. Photos that were never moved come last, ' +
          'in upload order. IDs that are not photos of the event are ignored and listed in the response.',
        params: IdParams('event_id'),
        body: MovePhotosBody,
        response: { 200: MovePhotosReply },
      },
      config: { permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { done, ignored } = await movePhotos(ctx, event, request.body)
      return { moved: done.length, ignored }
    },
  )
}
