import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { describeRoutes } from '../../../server/openapi/describe-routes.ts'

/** Routes of guests, customers and oEmbed. No OpenAPI document of the service describes them. */
export const undocumentedPaths = /^\/api\/(gallery|customer|oembed)(\/|$)/

/** The undocumented routes of the last app in this process that became ready. */
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

export const describeUndocumented = (): object =>
  describeRoutes({ title: 'Undocumented', about: '', tags: [], securitySchemes: {}, access: noAccess }, registered)

const noAccess = () => ({ text: '', securityFields: {} })

/** Adds an operation id, which names the schemas of the body and the replies, because they have no titles. */
const withOperationId = (route: RouteOptions): RouteOptions => ({
  ...route,
  schema: { ...route.schema, operationId: `${route.method}${route.url.replace(/\W+/g, '_')}` },
})
