import type { FastifyRequest } from 'fastify'
import type { Http } from '../../platform/http/create-http.ts'
import { type RequestAllowance, rateLimited, type Usage } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What is left of the limit that this request has counted for; null if there is none. */
    rateUsage: Usage | null
  }
}

/** Sends `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` with responses to requests that were counted. */
export function sendRateUsage(app: Http): void {
  app.decorateRequest('rateUsage', null)
  app.addHook('onSend', (request, reply, payload, done) => {
    const { rateUsage } = request
    if (rateUsage) {
      reply.header('ratelimit-limit', String(rateUsage.maxCount))
      reply.header('ratelimit-remaining', String(rateUsage.remaining))
      reply.header('ratelimit-reset', String(rateUsage.resetSeconds))
    }
    done(null, payload)
  })
}

/** Counts the request. Throws RATE_LIMITED if the limit is exceeded. */
export async function limitRequest(request: FastifyRequest, allowance: RequestAllowance): Promise<void> {
  const usage = await allowance.use()
  request.rateUsage = usage
  if (usage?.isExceeded) throw rateLimited(usage.resetSeconds)
}
