import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { Http } from './create-http.ts'

/** What a page of another origin may call: the public API and the galleries. */
const isOpen = (url: string): boolean => /^\/api\/(v1|gallery)\//.test(url)

/**
 * Lets pages of these origins call, without the cookies of the browser. Installed ahead of whatever refuses: they can
 * read each rejection.
 */
export function allowOrigins(app: Http, origins: string[]): void {
  if (origins.length === 0) return
  const allowed: FastifyCorsOptions = {
    origin: origins,
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'Accept-Ranges',
      'Content-Disposition',
      'Content-Range',
      'ETag',
      'Idempotent-Replayed',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
      'X-Zip-Missing',
      'X-Zip-Photos',
      'X-Zip-Withheld',
    ],
  }
  app.register(cors, { delegator: (request, done) => done(null, isOpen(request.url) ? allowed : closed) })
}

const closed: FastifyCorsOptions = { origin: false }
