import { ReplacedPhoto, ReplacePhotoForm } from '../../contract/photos.ts'
import { IdParams } from '../../contract/shapes.ts'
import { UploadPhotosForm, uploadedPhotos } from '../../contract/uploads.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getListedPhoto, getPhotoRecord, photoRecord } from '../photos/listed-photos.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptForms } from '../platform/http/receive-form.ts'
import type { AppContext } from '../settings/app-context.ts'
import { assertBelowCap } from './receive-photo.ts'
import { createUploadResponse, receivePhotos } from './receive-photos.ts'
import { replacePhoto } from './replace-photo.ts'
import { uploadProblems, withUpload, withUploadForm } from './upload-form-request.ts'

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
      config: { permission: 'photos.upload', problems: uploadProblems },
    },
    async (request, reply) => {
      const { event_id: eventId } = request.params
      const early = await getOwnedEvent(ctx, request.caller, eventId)
      assertNotArchived(early)
      await assertBelowCap(ctx, early)
      const { status, body } = await withUploadForm(ctx, request, async ({ categoryId, ...uploads }) => {
        const event = await getOwnedEvent(ctx, await request.admitAgain(), eventId)
        const { id: userId } = request.caller.user
        const incoming = { event, uploadedBy: 'admin', categoryId, markedBy: userId } as const
        const { photos, failed } = await receivePhotos(ctx, uploads, incoming)
        const records = await Promise.all(photos.map(({ id }) => getPhotoRecord(ctx, event, id, userId)))
        return createUploadResponse(records, failed)
      })
      return reply.code(status).send(body)
    },
  )

  // For large files and videos, clients use a chunked upload with `replaces_photo_id`.
  app.post(
    '/photos/:event_id/photos/:photo_id/replace',
    {
      schema: {
        operationId: 'replacePhoto',
        tags: ['photos'],
        summary: 'Replace the file of a photo',
        description: 'The photo keeps its ID, marks, position, category and source_filename.',
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
        // The marks are current; the photo columns are those that this request has stored.
        const listed = { ...(await getListedPhoto(ctx, event.id, photoId, request.caller.user.id)), ...photo }
        return {
          replaced: true as const,
          photo: { ...photoRecord(listed, event.slug), previous_filename: previousFilename },
        }
      })
    },
  )
}
