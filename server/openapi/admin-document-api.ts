import type { Http } from '../platform/http/create-http.ts'
import type { GatheredRoutes } from './gather-routes.ts'

/**
 * `/api/admin/openapi.json`: the admin API described. Made anew whenever somebody asks, which is seldom:
 * a service that nobody asks keeps nothing of it.
 */
export const adminDocumentApi =
  ({ ofOperators }: GatheredRoutes) =>
  async (app: Http) => {
    app.get('/openapi.json', { schema: { hide: true }, config: { permission: null } }, async () => {
      const { describeAdminApi } = await import('./describe-admin-api.ts')
      return describeAdminApi(ofOperators)
    })
  }
