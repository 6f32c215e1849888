import type { Http } from '../platform/http/create-http.ts'
import type { CollectedRoutes } from './collect-routes.ts'
import { serveDocument } from './documents-api.ts'

/** The OpenAPI documents without a credential as collections for Postman and Bruno. */
export const collectionsApi =
  ({ publicUrl }: { publicUrl: string | null }, { publicRoutes, guestRoutes }: CollectedRoutes) =>
  async (app: Http) => {
    const baseUrl = publicUrl ?? 'http://localhost:3000'
    serveDocument(app, '/api/postman.json', async () => {
      const { describePublicApi } = await import('./describe-public-api.ts')
      return create(describePublicApi(publicRoutes), baseUrl)
    })
    serveDocument(app, '/api/gallery/postman.json', async () => {
      const { describeGalleryApi } = await import('./describe-gallery-api.ts')
      return create(describeGalleryApi(guestRoutes), baseUrl)
    })
  }

async function create(description: object, baseUrl: string): Promise<object> {
  const { createCollection } = await import('./create-collection.ts')
  return createCollection(description, baseUrl)
}
