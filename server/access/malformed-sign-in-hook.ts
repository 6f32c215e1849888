import type { FastifyError, FastifyRequest } from 'fastify'
import { AppError, ValidationProblem } from '../platform/app-error.ts'
import { addressKey } from '../platform/client-address.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AccessContext } from './access.ts'
import { rateLimited } from './rate-limits.ts'

/** Sign-in routes count wrong passwords themselves. A body that cannot be read never gets there, so it counts here. */
export function limitMalformedSignIns(app: Http, { access, config }: AccessContext): void {
  if (!config.rateLimit) return
  const malformed = ({ ip }: FastifyRequest) => access.limits.malformedSignIns(addressKey(ip))
  app.addHook('preParsing', async (request) => {
    if (!request.routeOptions.config.isSignIn) return
    const retryAfterSeconds = await malformed(request).wait()
    if (retryAfterSeconds !== null) throw rateLimited(retryAfterSeconds)
  })
  app.addHook('onError', async (request, _reply, error) => {
    if (!request.routeOptions.config.isSignIn || !isMalformed(error)) return
    await malformed(request).consume()
  })
}

const isMalformed = (error: FastifyError): boolean =>
  error instanceof ValidationProblem ||
  error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ||
  ((error as unknown) instanceof AppError && error.code === 'INVALID_JSON')
