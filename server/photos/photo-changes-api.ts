import { Type } from 'typebox'
import { BulkDeleteBody, BulkDeleteReply, BulkUpdateBody, BulkUpdateReply } from '../../contract/bulk-photos.ts'
import { MarkBody, MarkReply } from '../../contract/marks.ts'
import { ChangePhotoBody, PhotoRecord } from '../../contract/photos.ts'
import { Id, IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { getMarkablePhoto } from '../feedback/marks/markable-photo.ts'
import { setOwnMark } from '../feedback/marks/set-own-mark.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { deletePhoto, deletePhotos } from './delete-photos.ts'
import { editPhoto, editPhotos } from './edit-photos.ts'
import { getPhotoRecord } from './listed-photos.ts'

/** Part of both APIs: the paths are relative to the path of the event. */
export const photoChangesApi = (ctx: AppContext) => async (app: Http) => {
  app.patch(
    '/photos/:photo_id',
    {
      schema: {
        operationId: 'changePhoto',
        tags: ['photos'],
        summary: 'Hide or show a photo, or set its category',
        params: IdParams('event_id', 'photo_id'),
        body: ChangePhotoBody,
        response: { 200: PhotoRecord },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_CATEGORY'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      await editPhoto(ctx, event, request.params.photo_id, request.body)
      return getPhotoRecord(ctx, event, request.params.photo_id, request.caller.user.id)
    },
  )

  app.put(
    '/photos/:photo_id/mark',
    {
      schema: {
        operationId: 'markPhoto',
        tags: ['proofing'],
        summary: 'Set or clear your own rating and color label',
        params: IdParams('event_id', 'photo_id'),
        body: MarkBody,
        response: { 200: MarkReply },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const { event_id: eventId, photo_id: photoId } = request.params
      const { id } = await getOwnedEvent(ctx, request.caller, eventId)
      const mark = await setOwnMark(
        ctx,
        { eventId: id, userId: request.caller.user.id },
        (tx) => getMarkablePhoto(tx, id, photoId),
        request.body,
      )
      return { id: photoId, my_rating: mark.rating, my_color_label: mark.color_label }
    },
  )

  app.delete(
    '/photos/:photo_id',
    {
      schema: {
        operationId: 'deletePhoto',
        tags: ['photos'],
        summary: 'Delete a photo, its file and its derivatives',
        params: IdParams('event_id', 'photo_id'),
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { scope: 'admin', permission: 'photos.delete', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      await deletePhoto(ctx, event, request.params.photo_id)
      return { id: request.params.photo_id, deleted: true }
    },
  )

  app.post(
    '/photos/bulk-delete',
    {
      schema: {
        operationId: 'deletePhotos',
        tags: ['photos'],
        summary: 'Delete many photos with their files and derivatives',
        description:
          'IDs that are not photos of the event are ignored and listed in the response. Repeat the call if it is interrupted.',
        params: IdParams('event_id'),
        body: BulkDeleteBody,
        response: { 200: BulkDeleteReply },
      },
      config: { scope: 'admin', permission: 'photos.delete', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { done, ignored } = await deletePhotos(ctx, event, request.body.photoIds)
      return { deleted: done.length, ignored }
    },
  )

  app.post(
    '/photos/bulk-update',
    {
      schema: {
        operationId: 'changePhotos',
        tags: ['photos'],
        summary: 'Hide or show many photos, or set their category',
        description:
          'IDs that are not photos of the event are ignored and listed in the response. Repeat the call if it is interrupted.',
        params: IdParams('event_id'),
        body: BulkUpdateBody,
        response: { 200: BulkUpdateReply },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_CATEGORY'] },
    },
    async (request) => {
      const { photoIds, updates } = request.body
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { done, ignored } = await editPhotos(ctx, event, photoIds, updates)
      return { updated: done.length, ignored }
    },
  )
}
