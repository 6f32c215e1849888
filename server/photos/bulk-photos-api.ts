import { BulkDeleteBody, BulkDeleteReply, BulkUpdateBody, BulkUpdateReply } from '../../contract/bulk-photos.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { deletePhotos } from './delete-photos.ts'
import { editPhotos } from './edit-photos.ts'

export const bulkPhotosApi = (ctx: AppContext) => async (app: Http) => {
  app.post(
    '/photos/:event_id/photos/bulk-delete',
    {
      schema: {
        operationId: 'deletePhotos',
        tags: ['photos'],
        summary: 'Delete many photos with their files and derivatives',
        description: 'Ids that are no photos of the event are ignored and named. An interrupted call is sent again.',
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
        description: 'Ids that are no photos of the event are ignored and named. An interrupted call is sent again.',
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
}
