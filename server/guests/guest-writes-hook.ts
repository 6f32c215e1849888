import { isWrite } from '../access/same-origin-hook.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A POST that stores nothing, such as a download. */
    storesNothing?: boolean
  }
}

/**
 * Rejects what guests store with STORAGE_FULL when only the space that is reserved from guests is left. Applies to all
 * routes of the plugin that store something. A DELETE is always possible.
 */
export function limitGuestWrites(app: Http, { database }: Pick<PlatformContext, 'database'>): void {
  app.addHook('onRequest', async (request) => {
    if (!isWrite(request) || request.method === 'DELETE' || request.routeOptions.config.storesNothing) return
    await database.ensureSpaceForGuest()
  })
}
