import type { Http } from '../platform/http/create-http.ts'
import type { CollectedRoutes } from './collect-routes.ts'

/** `/api/admin/openapi.json`. The document is rarely requested, so it is generated on each request and not cached. */
export const adminDocumentApi =
  ({ adminRoutes }: CollectedRoutes) =>
  async (app: Http) => {
    app.get('/openapi.json', { schema: { hide: true }, config: { permission: null } }, async () => {
      const { describeAdminApi } = await import('./describe-admin-api.ts')
      return describeAdminApi(adminRoutes)
    })
  }
