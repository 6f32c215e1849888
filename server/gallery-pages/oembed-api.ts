import { OembedQuery, OembedReply } from '../../contract/gallery/oembed.ts'
import type { GalleryContext } from '../gallery/gallery-context.ts'
import type { Http } from '../platform/http/create-http.ts'
import { describeLink } from './describe-link.ts'

export const oembedApi = (ctx: GalleryContext) => async (app: Http) => {
  app.get(
    '/oembed',
    {
      schema: {
        summary: 'A gallery as other sites show its link',
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
