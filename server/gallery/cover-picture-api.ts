import { Type } from 'typebox'
import { sendRendition } from '../photos/send-photo.ts'
import type { Http } from '../platform/http/create-http.ts'
import { getCoverPicture } from './cover-picture.ts'
import type { GalleryHouse } from './gallery-house.ts'

// Whatever is mangled is a picture that cannot be found.
const Params = Type.Object({ slug: Type.String(), share_token: Type.String() })

/** The picture that messengers show of a gallery's link (decisions §7). */
export const coverPictureApi = (house: GalleryHouse) => async (app: Http) => {
  app.get('/gallery/:slug/:share_token/cover.jpg', { schema: { params: Params } }, async (request, reply) => {
    const { slug, share_token: shareToken } = request.params
    const picture = await getCoverPicture(house, { slug, shareToken })
    // Shown on pages of others, and soon no more once the gallery closes or has another cover.
    reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'x-robots-tag': 'noindex' })
    return sendRendition(house, house.renditions, request, reply, { ...picture, cacheControl: 'public, max-age=300' })
  })
}
