import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problems } from '../../../contract/problems.ts'
import { isOutage } from '../background/failure-log.ts'
import { AppError } from '../errors/app-error.ts'
import { asAppError } from '../errors/as-app-error.ts'

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // An error that is not an AppError but becomes a 5xx is unexpected, so it is logged.
  const appError = namingTheWantedType(asAppError(error), error, request)
  if (appError.status >= 500 && appError !== error) logServerError(request, error, appError)
  const { details, retryAfterSeconds, body } = appError.extras
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (appError.status === 401 && !isSignIn(request)) reply.header('www-authenticate', 'Bearer')
  reply
    .code(appError.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: appError.message, code: appError.code, ...(details && { details }), ...body }))
}

/** One line without a stack is enough during an outage, when every request fails in the same way. */
function logServerError({ log }: FastifyRequest, err: unknown, { message }: AppError): void {
  if (isOutage(err)) log.warn({ reason: (err as Error).message }, message)
  else log.error({ err }, message)
}

/** The framework rejects a Content-Type without saying which one the route accepts. */
function namingTheWantedType(appError: AppError, error: unknown, { routeOptions }: FastifyRequest): AppError {
  if ((error as { code?: unknown }).code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return appError
  const wanted = routeOptions.schema?.consumes ?? ['application/json']
  const text = `Send the body as ${wanted.join(' or ')}, and name this type in the header Content-Type.`
  return new AppError('UNSUPPORTED_MEDIA_TYPE', { text })
}

const isSignIn = (request: FastifyRequest): boolean => /^\/api\/(customer\/)?auth\//.test(request.url)

/** For input that is not HTTP, and headers that are too large or too slow. Fastify has no request for such input. */
export function sendMalformedRequest(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // Browsers open connections in advance. A response would be taken for that to their first request.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return void socket.destroy()
  const { status, text } = problems.INVALID_REQUEST
  const body = JSON.stringify({ error: text, code: 'INVALID_REQUEST' })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
