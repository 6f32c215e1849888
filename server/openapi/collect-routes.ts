import type { RouteOptions } from 'fastify'
import type { Http } from '../platform/http/create-http.ts'

export type CollectedRoutes = { publicRoutes: RouteOptions[]; adminRoutes: RouteOptions[] }

const adminRoutes = /^\/api\/(admin|auth|invite|public)\//
const publicRoutes = /^\/api\/v1\//

/** Collects the routes that are registered after this call, for both API documents. Skips HEAD and hidden routes. */
export function collectRoutes(http: Http): CollectedRoutes {
  const collected: CollectedRoutes = { publicRoutes: [], adminRoutes: [] }
  http.addHook('onRoute', collectInto(collected))
  return collected
}

export const collectInto =
  (collected: CollectedRoutes) =>
  (route: RouteOptions): void => {
    if (route.method === 'HEAD' || route.schema?.hide) return
    if (publicRoutes.test(route.url)) collected.publicRoutes.push(route)
    if (adminRoutes.test(route.url)) collected.adminRoutes.push(route)
  }
