import { SlugParams } from '../../../contract/gallery/gallery.ts'
import { guestUploads, UploadPhotosForm } from '../../../contract/uploads.ts'
import { findEvent } from '../../events/event-rows.ts'
import { getGuestCaller, openGallery, openGalleryForWrite } from '../../gallery-access/open-gallery-request.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { acceptForms } from '../../platform/http/receive-form.ts'
import { createUploadResponse } from '../../receiving/receive-photos.ts'
import { type Uploads, withUploadForm } from '../../receiving/upload-form-request.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { assertGuestUpload, receiveGuestUpload } from './receive-guest-upload.ts'

export const guestUploadApi = (ctx: GalleryContext) => async (app: Http) => {
  acceptForms(app)

  // Checked before the body, so that no large body is sent to a closed gallery.
  app.addHook('onRequest', async (request) => {
    const { slug: slugOrId } = request.params as { slug: string }
    request.gallery = await openGalleryForWrite(ctx, request, await findSlug(ctx, slugOrId))
    await assertGuestUpload(ctx, request.gallery)
  })

  app.post(
    '/:slug/upload',
    {
      schema: {
        operationId: 'uploadGuestPhotos',
        tags: ['uploads'],
        summary: 'Add up to 50 images to the gallery',
        consumes: ['multipart/form-data'],
        params: SlugParams,
        body: UploadPhotosForm,
        response: guestUploads,
      },
      config: {
        problems: [
          'UPLOADS_DISABLED',
          'PHOTO_CAP_REACHED',
          'FILE_TOO_LARGE',
          'FILE_TYPE_NOT_ALLOWED',
          'UNREADABLE_IMAGE',
        ],
      },
    },
    async (request, reply) => {
      const { event } = request.gallery
      const guest = { eventId: event.id, guestId: getGuestCaller(request.gallery).guestId }
      const receive = async (uploads: Uploads) => {
        // The body may take minutes, and the gallery may have closed in between.
        const gallery = await openGallery(ctx, request, event.slug)
        const { photos, failed } = await receiveGuestUpload(ctx, gallery, uploads)
        return createUploadResponse(photos, failed)
      }
      const { status, body } = await ctx.guestBudgets.withForm(ctx, guest, (reserveSpace) =>
        withUploadForm(ctx, request, receive, reserveSpace),
      )
      return reply.code(status).send(body)
    },
  )
}

/** A slug always contains a hyphen, so a number is an id. */
async function findSlug({ db }: GalleryContext, slugOrId: string): Promise<string> {
  if (!/^[1-9]\d{0,15}$/.test(slugOrId)) return slugOrId
  const event = await findEvent(db, Number(slugOrId))
  if (!event) throw new AppError('NOT_FOUND')
  return event.slug
}
