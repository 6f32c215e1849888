import { IdParams } from '../../contract/shapes.ts'
import { UploadPhotosForm, uploadedPhotos } from '../../contract/uploads.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getListedPhoto } from '../photos/listed-photos.ts'
import { photoRecord } from '../photos/photo-records.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptForms } from '../platform/http/receive-form.ts'
import type { AppContext } from '../settings/app-context.ts'
import { assertBelowCap } from './receive-photo.ts'
import { createUploadResponse, receivePhotos } from './receive-photos.ts'
import { withUploads } from './upload-form-request.ts'

export const photoUploadsApi = (ctx: AppContext) => async (app: Http) => {
  acceptForms(app)

  app.post(
    '/photos/:event_id/upload',
    {
      schema: {
        operationId: 'uploadPhotos',
        tags: ['uploads'],
        summary: 'Upload up to 50 images',
        consumes: ['multipart/form-data'],
        params: IdParams('event_id'),
        body: UploadPhotosForm,
        response: uploadedPhotos,
      },
      config: {
        permission: 'photos.upload',
        problems: [
          'INVALID_CATEGORY',
          'EVENT_ARCHIVED',
          'PHOTO_CAP_REACHED',
          'FILE_TOO_LARGE',
          'FILE_TYPE_NOT_ALLOWED',
          'UNREADABLE_IMAGE',
        ],
      },
    },
    async (request, reply) => {
      const { event_id: eventId } = request.params
      const early = await getOwnedEvent(ctx, request.caller, eventId)
      assertNotArchived(early)
      await assertBelowCap(ctx, early)
      const { status, body } = await withUploads(ctx, request, async ({ categoryId, ...uploads }) => {
        const event = await getOwnedEvent(ctx, await request.admitAgain(), eventId)
        const { photos, failed } = await receivePhotos(ctx, uploads, { event, uploadedBy: 'admin', categoryId })
        const { id: userId } = request.caller.user
        const listed = await Promise.all(photos.map(({ id }) => getListedPhoto(ctx, event.id, id, userId)))
        return createUploadResponse(
          listed.map((photo) => photoRecord(photo, event.slug)),
          failed,
        )
      })
      return reply.code(status).send(body)
    },
  )
}
