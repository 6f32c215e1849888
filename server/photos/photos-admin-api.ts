import { Type } from 'typebox'
import { ChangePhotoBody, PhotoRecord } from '../../contract/photos.ts'
import { Id, IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { House } from '../settings/house.ts'
import { deletePhoto } from './delete-photo.ts'
import { editPhoto } from './edit-photo.ts'
import { getPhoto, withCategoryName } from './list-photos.ts'
import { photoRecord } from './photo-records.ts'

export const photosAdminApi = (house: House) => async (app: Http) => {
  app.get(
    '/photos/:event_id/photo/:photo_id',
    {
      schema: {
        summary: 'One photo',
        params: IdParams('event_id', 'photo_id'),
        response: { 200: PhotoRecord },
      },
      config: { permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      return photoRecord(await getPhoto(house, event.id, request.params.photo_id), event.slug)
    },
  )

  app.patch(
    '/photos/:event_id/photos/:photo_id',
    {
      schema: {
        summary: 'Hide or show a photo, set its category',
        params: IdParams('event_id', 'photo_id'),
        body: ChangePhotoBody,
        response: { 200: PhotoRecord },
      },
      config: { permission: 'photos.edit' },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      const photo = await editPhoto(house, event, request.params.photo_id, request.body)
      return photoRecord(await withCategoryName(house, photo), event.slug)
    },
  )

  app.delete(
    '/photos/:event_id/photos/:photo_id',
    {
      schema: {
        summary: 'Delete a photo, its file and its derivatives',
        params: IdParams('event_id', 'photo_id'),
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { permission: 'photos.delete' },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      await deletePhoto(house, event, request.params.photo_id)
      return { id: request.params.photo_id, deleted: true }
    },
  )
}
