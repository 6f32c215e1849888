import { Type } from 'typebox'
import { MarkBody, MarkReply } from '../../contract/marks.ts'
import { ChangePhotoBody, PhotoRecord } from '../../contract/photos.ts'
import { Id, IdParams } from '../../contract/shapes.ts'
import type { AccountCaller } from '../access/callers.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { EventRow } from '../events/event-rows.ts'
import { setOwnMark } from '../feedback/set-own-mark.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { deletePhoto } from './delete-photo.ts'
import { editPhoto } from './edit-photo.ts'
import { getListedPhoto } from './listed-photos.ts'
import { getMarkablePhoto } from './markable-photo.ts'
import { photoRecord } from './photo-records.ts'

export const photosAdminApi = (ctx: AppContext) => async (app: Http) => {
  const loadRecord = async ({ user }: AccountCaller, event: EventRow, photoId: number) =>
    photoRecord(await getListedPhoto(ctx, event.id, photoId, user.id), event.slug)

  app.patch(
    '/photos/:event_id/photos/:photo_id',
    {
      schema: {
        operationId: 'changePhoto',
        tags: ['photos'],
        summary: 'Hide or show a photo, set its category',
        params: IdParams('event_id', 'photo_id'),
        body: ChangePhotoBody,
        response: { 200: PhotoRecord },
      },
      config: { permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_CATEGORY'] },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      await editPhoto(ctx, event, request.params.photo_id, request.body)
      return loadRecord(request.caller, event, request.params.photo_id)
    },
  )

  app.put(
    '/photos/:event_id/photos/:photo_id/mark',
    {
      schema: {
        operationId: 'markPhoto',
        tags: ['proofing'],
        summary: 'Set or clear your own stars and colour',
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
}
