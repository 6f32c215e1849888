import type { RouteOptions } from 'fastify'
import type { Http } from '../platform/http/create-http.ts'

const families = {
  publicRoutes: /^\/api\/v1\//,
  adminRoutes: /^\/api\/(admin|auth|invite|public)\//,
  guestRoutes: /^\/api\/((gallery|customer|auth\/gallery)\/|oembed$)/,
}

/** The routes of each API document. Entering a gallery is in two documents. */
export type CollectedRoutes = Record<keyof typeof families, RouteOptions[]>

export const noRoutes = (): CollectedRoutes => ({ publicRoutes: [], adminRoutes: [], guestRoutes: [] })

/** Collects the routes that are registered after this call, for the API documents. Skips HEAD and hidden routes. */
export function collectRoutes(http: Http): CollectedRoutes {
  const collected = noRoutes()
  http.addHook('onRoute', collectInto(collected))
  return collected
}

export const collectInto =
  (collected: CollectedRoutes) =>
  (route: RouteOptions): void => {
    if (route.method === 'HEAD' || route.schema?.hide) return
    for (const [name, urls] of Object.entries(families)) {
      if (urls.test(route.url)) collected[name as keyof CollectedRoutes].push(route)
    }
  }
