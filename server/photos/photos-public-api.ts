import { ListPhotosQuery, PhotoList, PhotoRecord, ReplacedPhoto, UploadPhotoForm } from '../../contract/photos.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { judgeNotArchived } from '../events/event-rules.ts'
import type { Http } from '../platform/http/create-http.ts'
import { takeForms } from '../platform/http/receive-form.ts'
import type { House } from '../settings/house.ts'
import { listPhotos, withCategoryName } from './list-photos.ts'
import { photoRecord } from './photo-records.ts'
import { receivePhoto } from './receive-photo.ts'
import { replacePhoto } from './replace-photo.ts'
import { withUpload } from './upload-form.ts'

export const photosPublicApi = (house: House) => async (app: Http) => {
  takeForms(app)

  app.post(
    '/events/:event_id/photos',
    {
      schema: {
        operationId: 'uploadPhoto',
        tags: ['photos'],
        summary: 'Upload one image, or replace the file of a photo',
        consumes: ['multipart/form-data'],
        params: IdParams('event_id'),
        body: UploadPhotoForm,
        response: { 200: ReplacedPhoto, 201: PhotoRecord },
      },
      config: { scope: 'write', permission: 'photos.upload' },
    },
    async (request, reply) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      judgeNotArchived(event)
      return withUpload(house, request, async ({ file, categoryId, replacesPhotoId }) => {
        if (replacesPhotoId !== null) {
          const { photo, previousFilename } = await replacePhoto(house, event, replacesPhotoId, file, categoryId)
          const record = photoRecord(await withCategoryName(house, photo), event.slug)
          return reply.code(200).send({ replaced: true, photo: { ...record, previous_filename: previousFilename } })
        }
        const photo = await receivePhoto(house, { event, file, categoryId, uploadedBy: 'api' })
        return reply.code(201).send(photoRecord(await withCategoryName(house, photo), event.slug))
      })
    },
  )

  app.get(
    '/events/:event_id/photos',
    {
      schema: {
        operationId: 'listPhotos',
        tags: ['photos'],
        summary: 'Photos of an event, hidden ones included',
        params: IdParams('event_id'),
        querystring: ListPhotosQuery,
        response: { 200: PhotoList },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      const { page, limit } = request.query
      const { photos, total } = await listPhotos(house, event.id, { page, limit })
      return {
        photos: photos.map((photo) => photoRecord(photo, event.slug)),
        pagination: { page, limit, total, filtered: total, pages: Math.ceil(total / limit) },
      }
    },
  )
}
