import { Type } from 'typebox'
import { photoNamed } from '../../contract/gallery-tiles.ts'
import { sendRendition } from '../photos/send-photo.ts'
import type { Http } from '../platform/http/create-http.ts'
import { getCoverPicture } from './cover-picture.ts'
import type { GalleryContext } from './gallery-context.ts'

// Whatever is mangled is a picture that cannot be found.
const Params = Type.Object({ slug: Type.String(), share_token: Type.String() })
/** Without one it is the cover. */
const Query = Type.Object({ photo: Type.Optional(Type.Unknown()) })

/** The picture that messengers show of a gallery's link, and of a link to one photo of it. */
export const coverPictureApi = (ctx: GalleryContext) => async (app: Http) => {
  app.get(
    '/gallery/:slug/:share_token/cover.jpg',
    { schema: { params: Params, querystring: Query } },
    async (request, reply) => {
      const { slug, share_token: shareToken } = request.params
      const photoId = photoNamed(request.query.photo)
      const picture = await getCoverPicture(ctx, { slug, shareToken, photoId })
      // Shown on pages of others, and soon no more once the gallery closes or has another cover.
      reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'x-robots-tag': 'noindex' })
      // One photo may be hidden, and is gone with the next request then.
      const cacheControl = request.query.photo === undefined ? 'public, max-age=300' : 'no-cache'
      return sendRendition(ctx, ctx.renditions, request, reply, { ...picture, cacheControl })
    },
  )
}
