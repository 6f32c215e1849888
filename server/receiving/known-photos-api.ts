import { KnownPhotosBody, KnownPhotosReply } from '../../contract/bulk-photos.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { findEarlierContents, findKnownContents, findKnownSizes } from './find-known-contents.ts'
import { findSameNames } from './match-photo-names.ts'

export const knownPhotosApi = (ctx: AppContext) => async (app: Http) => {
  app.post(
    '/photos/:event_id/known',
    {
      schema: {
        operationId: 'findKnownPhotos',
        tags: ['uploads'],
        summary: 'Find files that an event already has, by content_hash or name',
        description: 'Known files need not be uploaded again. Ask for sizes first to avoid hashing new files.',
        params: IdParams('event_id'),
        body: KnownPhotosBody,
        response: { 200: KnownPhotosReply },
      },
      config: { permission: 'photos.view', skipAudit: true },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { hashes, sizes, names } = request.body
      const earlier = await findEarlierContents(ctx, event.id, hashes)
      return {
        known: await findKnownContents(ctx, event.id, hashes),
        ...(Object.keys(earlier).length > 0 && { earlier }),
        ...(sizes && { sizes: await findKnownSizes(ctx, event.id, sizes) }),
        ...(names && { same_names: Object.fromEntries(await findSameNames(ctx, event.id, names)) }),
      }
    },
  )
}
