import { ReplacedPhoto, ReplacePhotoForm } from '../../contract/photos.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getListedPhoto } from '../photos/listed-photos.ts'
import { photoRecord } from '../photos/photo-records.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptForms } from '../platform/http/receive-form.ts'
import type { AppContext } from '../settings/app-context.ts'
import { replacePhoto } from './replace-photo.ts'
import { withUpload } from './upload-form-request.ts'

/** Large files and videos use chunked uploads instead. */
export const photoReplaceApi = (ctx: AppContext) => async (app: Http) => {
  acceptForms(app)

  app.post(
    '/photos/:event_id/photos/:photo_id/replace',
    {
      schema: {
        operationId: 'replacePhoto',
        tags: ['photos'],
        summary: 'Replace the file of a photo',
        description: 'It keeps its id, its marks, its place in the list, its category and its source_filename.',
        consumes: ['multipart/form-data'],
        params: IdParams('event_id', 'photo_id'),
        body: ReplacePhotoForm,
        response: { 200: ReplacedPhoto },
      },
      config: {
        permission: 'photos.upload',
        problems: ['EVENT_ARCHIVED', 'FILE_TOO_LARGE', 'FILE_TYPE_NOT_ALLOWED', 'UNREADABLE_IMAGE'],
      },
    },
    async (request) => {
      const { event_id: eventId, photo_id: photoId } = request.params
      assertNotArchived(await getOwnedEvent(ctx, request.caller, eventId))
      return withUpload(ctx, request, async ({ file }) => {
        const event = await getOwnedEvent(ctx, await request.admitAgain(), eventId)
        const { photo, previousFilename } = await replacePhoto(ctx, event, photoId, file)
        // Current marks, but the columns that this replace wrote.
        const listed = { ...(await getListedPhoto(ctx, event.id, photoId, request.caller.user.id)), ...photo }
        return {
          replaced: true as const,
          photo: { ...photoRecord(listed, event.slug), previous_filename: previousFilename },
        }
      })
    },
  )
}
