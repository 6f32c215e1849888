import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { describeRoutes } from '../../server/openapi/describe-routes.ts'

/** The routes of guests, of customers and of oEmbed: no served document describes them. */
export const undocumentedPaths = /^\/api\/(gallery|customer|oembed)(\/|$)/

/** The routes of the app that got ready last in this process. */
let registered: RouteOptions[] = []

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  const routes: RouteOptions[] = []
  fastify.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && undocumentedPaths.test(route.url)) routes.push(withOperationId(route))
  })
  fastify.addHook('onReady', async () => {
    if (routes.length > 0) registered = routes
  })
})

/** The description of these routes, made of the schemas and problem codes that they declare. */
export const describeUndocumented = (): object =>
  describeRoutes({ title: 'Undocumented', about: '', tags: [], securitySchemes: {}, access: noAccess }, registered)

const noAccess = () => ({ text: '', stated: {} })

/** Names the shapes of its body and replies, which have no titles. */
const withOperationId = (route: RouteOptions): RouteOptions => ({
  ...route,
  schema: { ...route.schema, operationId: `${route.method}${route.url.replace(/\W+/g, '_')}` },
})
