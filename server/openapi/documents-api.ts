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
<script src="/api/docs/show.js"></script>
</body>
</html>
`

const viewerStart = "SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true })\n"

/** `/api/openapi.json` is public and generated on each request; `/api/docs` shows it. */
export const publicDocumentApi =
  ({ publicRoutes }: CollectedRoutes) =>
  async (app: Http) => {
    app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
      const { describePublicApi } = await import('./describe-public-api.ts')
      return reply.header('access-control-allow-origin', '*').send(describePublicApi(publicRoutes))
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

/** `/api/admin/openapi.json` is rarely requested, so it is generated on each request and not cached. */
export const adminDocumentApi =
  ({ adminRoutes }: CollectedRoutes) =>
  async (app: Http) => {
    app.get('/openapi.json', { schema: { hide: true }, config: { permission: null } }, async () => {
      const { describeAdminApi } = await import('./describe-admin-api.ts')
      return describeAdminApi(adminRoutes)
    })
  }
