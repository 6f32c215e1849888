import { SlugParams } from '../../../contract/gallery/gallery.ts'
import { GuestRoundReply, ReopeningBody } from '../../../contract/gallery/rounds.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { registerGalleryHooks } from '../../gallery-access/open-gallery-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { askForReopening, loadGuestRound } from './guest-rounds.ts'

export const guestRoundsApi = (ctx: GalleryAccessContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.get(
    '/:slug/round',
    {
      schema: {
        operationId: 'getOwnRound',
        tags: ['selections'],
        summary: 'Get how many photos the guest can pick, and how many are picked',
        params: SlugParams,
        response: { 200: GuestRoundReply },
      },
    },
    async ({ gallery }) => ({ round: await loadGuestRound(ctx, gallery) }),
  )

  app.post(
    '/:slug/round/reopening',
    {
      schema: {
        operationId: 'askForReopening',
        tags: ['selections'],
        summary: 'Ask the photographer to open the submitted picks again',
        params: SlugParams,
        body: ReopeningBody,
        response: { 200: GuestRoundReply },
      },
      config: { problems: ['INVALID_STATE'] },
    },
    async ({ gallery, body }) => ({ round: await askForReopening(ctx, gallery, body) }),
  )
}
