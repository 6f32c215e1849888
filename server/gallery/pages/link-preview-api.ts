import { Type } from 'typebox'
import { parsePhotoId } from '../../../contract/gallery/gallery-tiles.ts'
import { OembedQuery, OembedReply } from '../../../contract/gallery/oembed.ts'
import { sendRendition } from '../../downloads/photo-reply.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { getCoverPicture } from './cover-picture.ts'
import { describeLink } from './describe-link.ts'

// Parameters are not validated, so that a malformed URL is NOT_FOUND.
const Params = Type.Object({ slug: Type.String(), share_token: Type.String() })
const Query = Type.Object({ photo: Type.Optional(Type.Unknown()) })

export const coverPictureApi = (ctx: GalleryContext) => async (app: Http) => {
  app.get(
    '/gallery/:slug/:share_token/cover.jpg',
    { schema: { params: Params, querystring: Query } },
    async (request, reply) => {
      const { slug, share_token: shareToken } = request.params
      const photoId = parsePhotoId(request.query.photo)
      const picture = await getCoverPicture(ctx, { slug, shareToken, photoId })
      // Other sites embed the picture.
      reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'x-robots-tag': 'noindex' })
      // Caches must revalidate, because the gallery may be locked and a photo hidden at any time.
      return sendRendition(ctx, ctx.renditions, request, reply, { ...picture, cacheControl: 'no-cache' })
    },
  )
}

export const oembedApi = (ctx: GalleryContext) => async (app: Http) => {
  app.get(
    '/oembed',
    {
      schema: {
        operationId: 'getLinkPreview',
        tags: ['gallery'],
        summary: 'Get the link preview of a gallery',
        querystring: OembedQuery,
        response: { 200: OembedReply },
      },
      config: { problems: ['NOT_FOUND', 'NOT_IMPLEMENTED'] },
    },
    async (request, reply) => {
      reply.headers({ 'cache-control': 'public, max-age=300', 'x-robots-tag': 'noindex' })
      return describeLink(ctx, request.query)
    },
  )
}
