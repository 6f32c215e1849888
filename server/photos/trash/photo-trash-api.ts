import { fileReplies, IdParams, PageQuery } from '../../../contract/shapes.ts'
import {
  DeleteTrashedPhotosReply,
  EmptyTrashReply,
  RestorePhotosReply,
  TrashedPhotoList,
  TrashPhotosBody,
  TrashPhotosReply,
} from '../../../contract/trash.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { readThumbnail, sendThumbnail } from '../renditions/thumbnail-reply.ts'
import { listTrashedPhotos } from './list-trashed-photos.ts'
import { emptyPhotoTrash } from './purge-trash.ts'
import { deleteTrashedPhotos, restorePhotos, trashPhotos } from './trash-photos.ts'
import { findTrashedPhoto } from './trashed-photo-rows.ts'

const tags = ['trash']
const params = IdParams('event_id')

export const photoTrashApi = (ctx: AppContext) => async (app: Http) => {
  app.post(
    '/photos/:event_id/trash',
    {
      schema: {
        operationId: 'trashPhotos',
        tags,
        summary: 'Move photos to the trash',
        description:
          'They are unknown everywhere but in the trash, which keeps them for 30 days. Webhooks are notified for photo.deleted. ' +
          'Repeat the call if it is interrupted.',
        params,
        body: TrashPhotosBody,
        response: { 200: TrashPhotosReply },
      },
      config: { permission: 'photos.delete', problems: ['EVENT_ARCHIVED'] },
    },
    async ({ caller, params: { event_id }, body }) => {
      const event = await getOwnedEvent(ctx, caller, event_id)
      const { done, ignored } = await trashPhotos(ctx, event, body.photoIds)
      return { trashed: done.length, ignored }
    },
  )

  app.get(
    '/photos/:event_id/trash',
    {
      schema: {
        operationId: 'listTrashedPhotos',
        tags,
        summary: 'List the photos in the trash of an event',
        params,
        querystring: PageQuery,
        response: { 200: TrashedPhotoList },
      },
      config: { permission: 'photos.view' },
    },
    async ({ caller, params: { event_id }, query }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      return listTrashedPhotos(ctx, id, query)
    },
  )

  app.get(
    '/photos/:event_id/trash/:photo_id/thumbnail',
    {
      schema: {
        operationId: 'getTrashedThumbnail',
        tags,
        summary: 'Get the thumbnail of a photo in the trash',
        description: 'A JPEG of at most 480 px.',
        params: IdParams('event_id', 'photo_id'),
        response: fileReplies('image/*', 'The picture'),
      },
      config: { permission: 'photos.view', problems: ['PHOTO_FILE_MISSING'] },
    },
    async (request, reply) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const photo = await findTrashedPhoto(ctx.db, id, request.params.photo_id)
      if (!photo) throw new AppError('NOT_FOUND')
      return sendThumbnail(request, reply, photo, {
        read: (thumbnail) => readThumbnail(ctx.storage, id, thumbnail),
        // A thumbnail is made again when the photo is back.
        remake: () => Promise.reject(new FileMissing('a thumbnail of a photo in the trash')),
      })
    },
  )

  app.post(
    '/photos/:event_id/trash/bulk-restore',
    {
      schema: {
        operationId: 'restoreTrashedPhotos',
        tags,
        summary: 'Restore photos from the trash',
        description:
          'They have the same IDs, marks, comments, visibility and place as before, and their category if it still exists. ' +
          'Webhooks are notified for photo.uploaded with `restored: true`. Repeat the call if it is interrupted.',
        params,
        body: TrashPhotosBody,
        response: { 200: RestorePhotosReply },
      },
      config: { permission: 'photos.delete', problems: ['EVENT_ARCHIVED', 'PHOTO_CAP_REACHED'] },
    },
    async ({ caller, params: { event_id }, body }) => {
      const event = await getOwnedEvent(ctx, caller, event_id)
      const { done, ignored } = await restorePhotos(ctx, event, body.photoIds)
      return { restored: done.length, ignored }
    },
  )

  app.post(
    '/photos/:event_id/trash/bulk-delete',
    {
      schema: {
        operationId: 'deleteTrashedPhotos',
        tags,
        summary: 'Delete photos in the trash for good',
        description: 'Also works in archived events. Repeat the call if it is interrupted.',
        params,
        body: TrashPhotosBody,
        response: { 200: DeleteTrashedPhotosReply },
      },
      config: { permission: 'photos.delete' },
    },
    async ({ caller, params: { event_id }, body }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      const { done, ignored } = await deleteTrashedPhotos(ctx, id, body.photoIds)
      return { deleted: done.length, ignored }
    },
  )

  app.delete(
    '/photos/:event_id/trash',
    {
      schema: {
        operationId: 'emptyPhotoTrash',
        tags,
        summary: 'Delete all photos in the trash of an event for good',
        params,
        response: { 200: EmptyTrashReply },
      },
      config: { permission: 'photos.delete' },
    },
    async ({ caller, params: { event_id } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      return { deleted: await emptyPhotoTrash(ctx, id) }
    },
  )
}
