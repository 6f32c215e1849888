import { Type } from 'typebox'
import { PhotoParams, Slug } from '../../../contract/gallery/gallery.ts'
import { DecisionBody, GuestVersions, VersionNumber } from '../../../contract/gallery/versions.ts'
import { IdempotencyHeaders } from '../../../contract/idempotency.ts'
import { Id } from '../../../contract/shapes.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { oncePerGuestKey } from '../../gallery-access/once-per-guest-request.ts'
import { registerGalleryHooks } from '../../gallery-access/open-gallery-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { decideVersion, loadGuestVersions } from './decide.ts'

export const guestDecisionsApi = (ctx: GalleryAccessContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.get(
    '/:slug/photos/:photo_id/versions',
    {
      schema: {
        operationId: 'listGalleryVersions',
        tags: ['photos'],
        summary: 'List the versions of a photo, with the own decision about the current one',
        description: 'Pictures of earlier versions: `photo/{photo_id}?version=…`.',
        params: PhotoParams,
        response: { 200: GuestVersions },
      },
    },
    ({ gallery, params }) => loadGuestVersions(ctx, gallery, params.photo_id),
  )

  app.put(
    '/:slug/photos/:photo_id/versions/:number/decision',
    {
      schema: {
        operationId: 'decideVersion',
        tags: ['feedback'],
        summary: 'Approve the current version of a photo, or ask for changes',
        description: 'Guests who decide have a name. `comment` begins a private thread with the photographer.',
        params: Type.Object({ slug: Slug, photo_id: Id, number: VersionNumber }),
        headers: IdempotencyHeaders,
        body: DecisionBody,
        response: { 200: GuestVersions },
      },
      config: { problems: ['FEEDBACK_DISABLED', 'INVALID_STATE', 'VERSION_NOT_CURRENT', 'NOTE_LIMIT_REACHED'] },
    },
    (request, reply) => {
      const { gallery, params, body } = request
      const { decision, comment, guest_name } = body
      const target = { photoId: params.photo_id, version: params.number }
      return oncePerGuestKey<GuestVersions>(ctx, request, reply, {
        fields: { decision, comment, guest_name },
        first: (record) => decideVersion(ctx, gallery, target, body, record),
        again: () => loadGuestVersions(ctx, gallery, params.photo_id),
      })
    },
  )
}
