import formbody from '@fastify/formbody'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Slug, SlugParams } from '../../../contract/gallery/gallery.ts'
import { AppError, ValidationProblem } from '../../platform/errors/app-error.ts'
import { compressResponses } from '../../platform/http/compression.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { pageSecurityPolicy } from '../../platform/http/security-headers.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { storeLanguage } from './language-request.ts'
import { visitByAddress } from './visit-by-address-request.ts'
import { type PageQuery, sendVisitPage } from './visit-page-reply.ts'
import { visitByPassword, visitToContinue } from './visit-request.ts'

// The query string has no schema: a mistyped URL must get a page, not a list of validation errors.
const readQuery = (request: FastifyRequest) => request.query as PageQuery
const EnterForm = Type.Object({
  password: Type.String({ maxLength: 200, default: '' }),
  share_token: Type.String({ maxLength: 200, default: '' }),
})

export const galleryPageApi = (ctx: GalleryContext) => async (app: Http) => {
  await compressResponses(app, /^text\/html/)
  await app.register(formbody, { bodyLimit: 10_000 })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': pageSecurityPolicy,
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
    })
  })
  app.addHook('onRequest', async (request, reply) => (storeLanguage(request, reply) ? reply : undefined))

  // A malformed URL or form shows the page for an unknown gallery.
  app.setErrorHandler((error, request, reply) => {
    const appError = error instanceof ValidationProblem ? new AppError('NOT_FOUND') : error
    return sendVisitPage(ctx, request, reply, Promise.reject(appError))
  })

  app.get(
    '/gallery/:slug/:share_token',
    { schema: { params: Type.Object({ slug: Slug, share_token: Type.String({ maxLength: 200 }) }) } },
    (request, reply) => {
      const { slug, share_token: shareToken } = request.params
      const visit = visitByAddress(ctx, request, { slug, shareToken })
      return sendVisitPage(ctx, request, reply, visit, readQuery(request))
    },
  )

  app.get('/gallery/:slug', { schema: { params: SlugParams } }, (request, reply) => {
    const visit = visitByAddress(ctx, request, { slug: request.params.slug, shareToken: null })
    return sendVisitPage(ctx, request, reply, visit, readQuery(request))
  })

  app.route({
    method: ['GET', 'POST'],
    url: '/gallery/:slug/continue/:link_token',
    schema: { params: Type.Object({ slug: Slug, link_token: Type.String({ maxLength: 200 }) }) },
    handler: (request, reply) => {
      const { slug, link_token: linkToken } = request.params
      return sendVisitPage(ctx, request, reply, visitToContinue(ctx, request, { slug, linkToken }))
    },
  })

  app.post('/gallery/:slug/enter', { schema: { params: SlugParams, body: EnterForm } }, (request, reply) => {
    const { password, share_token: shareToken } = request.body
    const form = { slug: request.params.slug, shareToken }
    return sendVisitPage(ctx, request, reply, visitByPassword(ctx, request, form, password))
  })
}
