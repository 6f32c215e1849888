import { fileURLToPath } from 'node:url'
import serveStatic from '@fastify/static'
import type { FastifyBaseLogger } from 'fastify'
import { compressAnswers } from './compression.ts'
import type { Http } from './create-http.ts'
import { pageSecurityPolicy } from './security-headers.ts'
import { builtFolder, builtPath, isBuilt } from './web-build.ts'

const assetsFolder = fileURLToPath(new URL('../../../web/assets', import.meta.url))

/** The files that pages name: style as it is written under `/assets/`, what was built of the web app under `/built/`. */
export const webFilesApi = (log: FastifyBaseLogger) => async (app: Http) => {
  // A worker is bound by the policy of its own file.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', pageSecurityPolicy)
  })
  await app.register(async (assets: Http) => {
    await compressAnswers(assets, /^text\/css/)
    await assets.register(serveStatic, { root: assetsFolder, prefix: '/assets/', maxAge: 0 })
  })
  if (!isBuilt) return log.warn('The web app is not built, so that pages do without script: npm run build')
  await app.register(serveStatic, {
    root: builtFolder,
    prefix: builtPath,
    // Compressed when it was built.
    preCompressed: true,
    // The name of each file changes with what is in it; those that do not are for the server.
    allowedPath: (path) => /^\/(admin\/)?assets\/[^/]+\.(css|js|svg|woff2)$/.test(path),
    immutable: true,
    maxAge: '365d',
    decorateReply: false,
  })
  // Workers: what they rule lies beside their address, which therefore stays and is asked for anew each time.
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
