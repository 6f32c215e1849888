import type { RouteOptions } from 'fastify'
import type { Http } from '../platform/http/create-http.ts'

export type GatheredRoutes = { ofIntegrators: RouteOptions[]; ofOperators: RouteOptions[] }

const ofOperators = /^\/api\/(admin|auth|invite|public)\//
const ofIntegrators = /^\/api\/v1\//

/** Collects all routes that are registered after this call. */
export function gatherRoutes(http: Http): GatheredRoutes {
  const gathered: GatheredRoutes = { ofIntegrators: [], ofOperators: [] }
  http.addHook('onRoute', gatherInto(gathered))
  return gathered
}

export const gatherInto =
  (gathered: GatheredRoutes) =>
  (route: RouteOptions): void => {
    if (route.method === 'HEAD' || route.schema?.hide) return
    if (ofIntegrators.test(route.url)) gathered.ofIntegrators.push(route)
    if (ofOperators.test(route.url)) gathered.ofOperators.push(route)
  }
