import { IdempotencyHeaders } from '../../contract/idempotency.ts'
import { ListPhotosQuery, PhotoList, PhotoRecord, ReplacedPhoto, UploadPhotoForm } from '../../contract/photos.ts'
import { IdParams } from '../../contract/shapes.ts'
import { oncePerKey } from '../access/idempotent-request.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getPhotoRecord, photoRecord } from '../photos/listed-photos.ts'
import { listGrid, parsePhotoListQuery } from '../photos/lists/list-grid.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptForms } from '../platform/http/receive-form.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getIdempotencyFields, loadEarlierUpload, receiveUpload } from './receive-upload.ts'
import { uploadProblems, withUpload } from './upload-form-request.ts'

export const photosPublicApi = (ctx: AppContext) => async (app: Http) => {
  acceptForms(app)

  app.post(
    '/events/:event_id/photos',
    {
      schema: {
        operationId: 'uploadPhoto',
        tags: ['photos'],
        summary: 'Upload one image, or replace the file of a photo',
        description:
          'At most 100 MB, or the lower limit of the settings. The content determines the type of the file, not its name; the part ' +
          'must be declared as `image/…`. The file is stored unchanged. Returns 201 for a new photo and 200 for a replacement.',
        consumes: ['multipart/form-data'],
        headers: IdempotencyHeaders,
        params: IdParams('event_id'),
        body: UploadPhotoForm,
        response: { 200: ReplacedPhoto, 201: PhotoRecord },
      },
      config: { scope: 'write', permission: 'photos.upload', problems: uploadProblems },
    },
    async (request, reply) => {
      const { event_id: eventId } = request.params
      assertNotArchived(await getOwnedEvent(ctx, request.caller, eventId))
      const { photo, previousFilename, slug } = await withUpload(ctx, request, async (upload) => {
        const event = await getOwnedEvent(ctx, await request.admitAgain(), eventId)
        const target = { event, userId: request.caller.user.id }
        const result = await oncePerKey(ctx, request, reply, getIdempotencyFields(upload), {
          first: (record) => receiveUpload(ctx, target, upload, record),
          again: (outcome) => loadEarlierUpload(ctx, target, outcome),
        })
        return { ...result, slug: event.slug }
      })
      const record = photoRecord(photo, slug)
      if (previousFilename === null) return reply.code(201).send(record)
      return reply.code(200).send({ replaced: true, photo: { ...record, previous_filename: previousFilename } })
    },
  )

  app.get(
    '/events/:event_id/photos',
    {
      schema: {
        operationId: 'listPhotos',
        tags: ['photos'],
        summary: 'List the photos of an event with their marks, including hidden photos',
        description:
          'In upload order. Marks are those of guests and your own, never those of other accounts. ' +
          'An empty filter is ignored. A page after the last page is empty. Use `after` for pages if photos are added or deleted in between.',
        params: IdParams('event_id'),
        querystring: ListPhotosQuery,
        response: { 200: PhotoList },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { limit, mark_source: source } = request.query
      const listQuery = parsePhotoListQuery(request.query, { eventId: event.id, userId: request.caller.user.id })
      const { photos, pagination } = await listGrid(ctx, listQuery, limit)
      return {
        photos: photos.map((photo) => photoRecord(photo, event.slug, source)),
        pagination: { ...pagination, limit },
      }
    },
  )

  app.get(
    '/events/:event_id/photos/:photo_id',
    {
      schema: {
        operationId: 'getPhoto',
        tags: ['photos'],
        summary: 'Get a photo',
        description:
          'The same record as in the list, with `color_label` and `rating` merged from the guests and your own marks.',
        params: IdParams('event_id', 'photo_id'),
        response: { 200: PhotoRecord },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return getPhotoRecord(ctx, event, request.params.photo_id, request.caller.user.id)
    },
  )
}
