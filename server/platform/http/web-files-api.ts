import { fileURLToPath } from 'node:url'
import serveStatic from '@fastify/static'
import type { FastifyBaseLogger } from 'fastify'
import { builtFolder, builtPath, isBuilt } from '../html/web-build.ts'
import { compressResponses } from './compression.ts'
import type { Http } from './create-http.ts'
import { pageSecurityPolicy } from './security-headers.ts'

const assetsFolder = fileURLToPath(new URL('../../../web/assets', import.meta.url))

export const webFilesApi = (log: FastifyBaseLogger) => async (app: Http) => {
  // A web worker runs under the security policy of its script file.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', pageSecurityPolicy)
  })
  await app.register(async (assets: Http) => {
    await compressResponses(assets, /^text\/css/)
    await assets.register(serveStatic, { root: assetsFolder, prefix: '/assets/', maxAge: 0 })
  })
  if (!isBuilt) return log.warn('The web app is not built, so pages are served without scripts. Run npm run build.')
  await app.register(serveStatic, {
    root: builtFolder,
    prefix: builtPath,
    preCompressed: true,
    // Only files whose names contain a hash of the content are served here.
    allowedPath: (path) => /^\/(admin\/)?assets\/[^/]+\.(css|js|svg|woff2)$/.test(path),
    immutable: true,
    maxAge: '365d',
    decorateReply: false,
  })
  // A service worker controls only pages below its path, and is updated under the same address. So the address has no
  // hash, and the file is revalidated each time.
  await app.register(serveStatic, {
    root: `${builtFolder}/fixed`,
    wildcard: false,
    globIgnore: ['**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => reply.header('cache-control', 'no-cache'),
    decorateReply: false,
  })
}
