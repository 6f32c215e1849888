import { CustomerGalleryList } from '../../../contract/customers.ts'
import { EnteredReply, SlugParams } from '../../../contract/gallery/gallery.ts'
import { PageQuery } from '../../../contract/shapes.ts'
import { galleryCookie, sessionCookie } from '../../access/cookies.ts'
import { gallerySessionSeconds } from '../../events/event-rules.ts'
import { guardCustomerApi } from '../../people/customers/customer-guard.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { galleryInfo } from '../gallery-records.ts'
import { listCustomerGalleries } from './customer-galleries.ts'
import { enterAsCustomer } from './enter-as-customer.ts'

export const customerGalleriesApi = (ctx: GalleryContext) => async (app: Http) => {
  guardCustomerApi(app, ctx)

  app.get(
    '/events',
    {
      schema: {
        operationId: 'listOwnGalleries',
        tags: ['customers'],
        summary: 'List your galleries',
        querystring: PageQuery,
        response: { 200: CustomerGalleryList },
      },
    },
    async (request) => {
      const { events, total } = await listCustomerGalleries(ctx, request.customer, request.query)
      return { events, pagination: toPagination(request.query, total) }
    },
  )

  app.post(
    '/events/:slug/access-token',
    {
      schema: {
        operationId: 'enterOwnGallery',
        tags: ['customers'],
        summary: 'Enter one of your galleries',
        params: SlugParams,
        response: { 200: EnteredReply },
      },
      config: { problems: ['GALLERY_EXPIRED', 'CUSTOMER_ASSIGNMENT_REVOKED'] },
    },
    async (request, reply) => {
      const { event, token } = await enterAsCustomer(ctx, request.customer, request.params.slug)
      await ctx.counts.flush()
      // Sets no guest cookie, because another person may use the browser after the customer.
      const cookie = sessionCookie(request, ctx.config.publicUrl, gallerySessionSeconds(event))
      reply.setCookie(galleryCookie(event.id), token, cookie)
      return { token, event: { id: event.id, slug: event.slug, ...galleryInfo(event, ctx.clock.now()) } }
    },
  )
}
