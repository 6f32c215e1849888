import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'

/** `deploy/fail2ban/filter.d/proofroom.conf` reads this line. */
const message = 'A sign-in failed'

const loggedCodes = new Set<string>(['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'RATE_LIMITED', 'RECAPTCHA_FAILED'])

/** Logs the complete address of the client, which fail2ban can block; the activity log has only its network. */
export function logFailedSignIn({ ip, log, routeOptions }: FastifyRequest, error: unknown): void {
  if (!(error instanceof AppError) || !loggedCodes.has(error.code)) return
  log.warn({ address: ip, route: routeOptions.url, code: error.code }, message)
}

/** Pages that show the failure themselves call `logFailedSignIn`. */
export function logFailedSignIns(app: Http): void {
  app.addHook('onError', async (request, _reply, error) => {
    if (request.routeOptions.config.isSignIn) logFailedSignIn(request, error)
  })
}
