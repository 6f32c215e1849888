import { SlugParams } from '../../contract/gallery/gallery.ts'
import { OwnSelectionReply, SelectionBody, SelectionReply } from '../../contract/gallery/selections.ts'
import { IdempotencyHeaders } from '../../contract/idempotency.ts'
import type { GalleryAccessContext } from '../gallery-access/gallery-access-context.ts'
import { oncePerGuestKey } from '../gallery-access/once-per-guest-request.ts'
import { registerGalleryHooks } from '../gallery-access/open-gallery-request.ts'
import type { Http } from '../platform/http/create-http.ts'
import { loadOwnSelection } from './own-selection.ts'
import { submitSelection } from './submit-selection.ts'

export const guestSelectionsApi = (ctx: GalleryAccessContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.get(
    '/:slug/selection',
    {
      schema: {
        operationId: 'getOwnSelection',
        tags: ['selections'],
        summary: 'Get the last submitted selection and the picks changed since',
        params: SlugParams,
        response: { 200: OwnSelectionReply },
      },
    },
    async ({ gallery }) => ({ selection: await loadOwnSelection(ctx, gallery) }),
  )

  app.post(
    '/:slug/selection',
    {
      schema: {
        operationId: 'submitSelection',
        tags: ['selections'],
        summary: 'Submit the picks',
        params: SlugParams,
        headers: IdempotencyHeaders,
        body: SelectionBody,
        response: { 200: SelectionReply },
      },
      config: {
        storesGuest: true,
        problems: [
          'FEEDBACK_DISABLED',
          'NOTHING_SELECTED',
          'SELECTION_LOCKED',
          'SELECTION_CHANGED',
          'SELECTION_TOO_SMALL',
          'SELECTION_LIMIT_REACHED',
        ],
      },
    },
    (request, reply) => {
      const { gallery, body } = request
      const { note, guest_name, guest_email, revision } = body ?? {}
      return oncePerGuestKey<SelectionReply>(ctx, request, reply, {
        fields: { note, guest_name, guest_email, revision },
        first: (record) => submitSelection(ctx, gallery, body, record),
      })
    },
  )
}
