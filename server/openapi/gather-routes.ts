import type { RouteOptions } from 'fastify'
import type { Http } from '../platform/http/create-http.ts'

export type GatheredRoutes = { ofIntegrators: RouteOptions[]; ofOperators: RouteOptions[] }

/** What the web app of operators calls: the admin API, the ways in, and what anybody may know. */
const ofOperators = /^\/api\/(admin|auth|invite|public)\//
const ofIntegrators = /^\/api\/v1\//

/** Gathers the routes that are registered from now on. Nothing is made of them before somebody asks for a description. */
export function gatherRoutes(http: Http): GatheredRoutes {
  const gathered: GatheredRoutes = { ofIntegrators: [], ofOperators: [] }
  http.addHook('onRoute', gatherInto(gathered))
  return gathered
}

/** A listener to routes that keeps those that a description tells of. */
export const gatherInto =
  (gathered: GatheredRoutes) =>
  (route: RouteOptions): void => {
    if (route.method === 'HEAD' || route.schema?.hide) return
    if (ofIntegrators.test(route.url)) gathered.ofIntegrators.push(route)
    if (ofOperators.test(route.url)) gathered.ofOperators.push(route)
  }
