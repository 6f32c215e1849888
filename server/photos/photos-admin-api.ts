import { Type } from 'typebox'
import {
  BulkDeleteBody,
  BulkDeleteReply,
  BulkUpdateBody,
  BulkUpdateReply,
  MovePhotosBody,
  MovePhotosReply,
} from '../../contract/bulk-photos.ts'
import { CameraFacts } from '../../contract/camera-facts.ts'
import { MarkBody, MarkReply } from '../../contract/marks.ts'
import { ChangePhotoBody, PhotoRecord } from '../../contract/photos.ts'
import { Id, IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { setOwnMark } from '../feedback/set-own-mark.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { deletePhoto, deletePhotos } from './delete-photos.ts'
import { editPhoto, editPhotos } from './edit-photos.ts'
import { getPhotoRecord } from './listed-photos.ts'
import { getMarkablePhoto } from './markable-photo.ts'
import { movePhotos } from './move-photos.ts'
import { readCameraFacts } from './read-camera-facts.ts'

export const photosAdminApi = (ctx: AppContext) => async (app: Http) => {
  app.patch(
    '/photos/:event_id/photos/:photo_id',
    {
      schema: {
        operationId: 'changePhoto',
        tags: ['photos'],
        summary: 'Hide or show a photo, or set its category',
        params: IdParams('event_id', 'photo_id'),
        body: ChangePhotoBody,
        response: { 200: PhotoRecord },
      },
      config: { permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_CATEGORY'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      await editPhoto(ctx, event, request.params.photo_id, request.body)
      return getPhotoRecord(ctx, event, request.params.photo_id, request.caller.user.id)
    },
  )

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
    '/photos/:event_id/photos/:photo_id/mark',
    {
      schema: {
        operationId: 'markPhoto',
        tags: ['proofing'],
        summary: 'Set or clear your own rating and color label',
        params: IdParams('event_id', 'photo_id'),
        body: MarkBody,
        response: { 200: MarkReply },
      },
      config: { permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
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
    '/photos/:event_id/photos/:photo_id',
    {
      schema: {
        operationId: 'deletePhoto',
        tags: ['photos'],
        summary: 'Delete a photo, its file and its derivatives',
        params: IdParams('event_id', 'photo_id'),
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { permission: 'photos.delete', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      await deletePhoto(ctx, event, request.params.photo_id)
      return { id: request.params.photo_id, deleted: true }
    },
  )

  app.post(
    '/photos/:event_id/photos/bulk-delete',
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
      config: { permission: 'photos.delete', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { done, ignored } = await deletePhotos(ctx, event, request.body.photoIds)
      return { deleted: done.length, ignored }
    },
  )

  app.post(
    '/photos/:event_id/photos/bulk-update',
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
      config: { permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_CATEGORY'] },
    },
    async (request) => {
      const { photoIds, updates } = request.body
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { done, ignored } = await editPhotos(ctx, event, photoIds, updates)
      return { updated: done.length, ignored }
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
