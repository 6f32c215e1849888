import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { Http } from '../platform/http/create-http.ts'

const isCrossOriginAllowed = (url: string): boolean => /^\/api\/(v1|gallery)\//.test(url)

const exposedHeaders = (
  'Accept-Ranges Content-Disposition Content-Range ETag Idempotent-Replayed RateLimit-Limit RateLimit-Remaining ' +
  'RateLimit-Reset Retry-After WWW-Authenticate X-Request-Id X-Zip-Missing X-Zip-Photos X-Zip-Withheld'
).split(' ')

/** Must be registered before the hooks that reject requests, so that pages of these origins can read the rejections. */
export function allowOrigins(app: Http, origins: string[]): void {
  if (origins.length === 0) return
  const allowed: FastifyCorsOptions = {
    origin: origins,
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
  }
  app.register(cors, { delegator: (request, done) => done(null, isCrossOriginAllowed(request.url) ? allowed : denied) })
}

const denied: FastifyCorsOptions = { origin: false }
