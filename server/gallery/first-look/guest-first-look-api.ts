import { DoneReply } from '../../../contract/access.ts'
import { FirstLookNoticeBody } from '../../../contract/first-look.ts'
import { SlugParams } from '../../../contract/gallery/gallery.ts'
import { registerGalleryHooks } from '../../gallery-access/open-gallery-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { askForNotice } from './guest-first-look.ts'

export const guestFirstLookApi = (ctx: GalleryContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.post(
    '/:slug/first-look/notice',
    {
      schema: {
        operationId: 'askForCompletionMail',
        tags: ['guest'],
        summary: 'Ask for a mail when all photos are there',
        description: 'An address that is not confirmed in the gallery gets one mail that asks to confirm it.',
        params: SlugParams,
        body: FirstLookNoticeBody,
        response: { 200: DoneReply },
      },
      config: { storesGuest: true, problems: ['INVALID_STATE'] },
    },
    async ({ gallery, body }) => {
      await askForNotice(ctx, gallery, body.email)
      return { success: true }
    },
  )
}
