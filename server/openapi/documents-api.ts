import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import serveStatic from '@fastify/static'
import type { Http } from '../platform/http/create-http.ts'
import type { CollectedRoutes } from './collect-routes.ts'

const viewerFolder = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')

/** Swagger UI sets inline styles. */
const viewerPolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'self'"

const viewerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Proofroom API</title>
<link rel="icon" href="/api/docs/viewer/favicon-32x32.png">
<link rel="stylesheet" href="/api/docs/viewer/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api/docs/viewer/swagger-ui-bundle.js"></script>
<script src="/api/docs/viewer/swagger-ui-standalone-preset.js"></script>
<script src="/api/docs/show.js"></script>
</body>
</html>
`

const viewerStart = `SwaggerUIBundle({
  urls: [
    { url: '/api/openapi.json', name: 'Public API' },
    { url: '/api/gallery/openapi.json', name: 'Galleries and customers' },
  ],
  dom_id: '#swagger-ui',
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
})
`

/**
 * `/api/openapi.json` and `/api/gallery/openapi.json` are public and not limited, so each is generated once, at its first
 * request. `/api/docs` shows them.
 */
export const publicDocumentApi =
  ({ publicRoutes, guestRoutes }: CollectedRoutes) =>
  async (app: Http) => {
    serveDocument(app, '/api/openapi.json', async () => {
      const { describePublicApi } = await import('./describe-public-api.ts')
      return describePublicApi(publicRoutes)
    })
    serveDocument(app, '/api/gallery/openapi.json', async () => {
      const { describeGalleryApi } = await import('./describe-gallery-api.ts')
      return describeGalleryApi(guestRoutes)
    })

    await app.register(serveStatic, { root: viewerFolder, prefix: '/api/docs/viewer/', decorateReply: false })
    app.addHook('onSend', async (request, reply) => {
      if (request.url.startsWith('/api/docs')) reply.header('content-security-policy', viewerPolicy)
    })
    for (const url of ['/api/docs', '/api/docs/']) {
      app.get(url, { schema: { hide: true } }, async (_request, reply) => reply.type('text/html').send(viewerPage))
    }
    app.get('/api/docs/show.js', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/javascript').send(viewerStart),
    )
  }

/** Serves a document without a credential, to pages of any origin. It is made at its first request. */
export function serveDocument(app: Http, url: string, describe: () => Promise<object>): void {
  let text: string | undefined
  app.get(url, { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(await describe())
    return reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8').send(text)
  })
}

/** `/api/admin/openapi.json` is rarely requested, so it is generated on each request and not cached. */
export const adminDocumentApi =
  ({ adminRoutes }: CollectedRoutes) =>
  async (app: Http) => {
    app.get('/openapi.json', { schema: { hide: true }, config: { permission: null } }, async () => {
      const { describeAdminApi } = await import('./describe-admin-api.ts')
      return describeAdminApi(adminRoutes)
    })
  }
