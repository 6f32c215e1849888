import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ProblemCode, problems } from '../../../contract/problems.ts'
import { AppError } from '../app-error.ts'
import { isOutage } from '../background/failure-log.ts'
import { FileMissing, StorageFull } from '../storage/storage.ts'
import { ValidationProblem } from './validation.ts'

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // Any other error that becomes a 5xx is unexpected, so it is logged.
  const appError = asAppError(error)
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

export const sendNotFound = (request: FastifyRequest, reply: FastifyReply): void =>
  sendProblem(new AppError('NOT_FOUND'), request, reply)

const isSignIn = (request: FastifyRequest): boolean => /^\/api\/(customer\/)?auth\//.test(request.url)

/** Returns the AppError for any error. An unknown error becomes INTERNAL_ERROR without details. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ValidationProblem) return new AppError('VALIDATION_ERROR', withMessage(error))
  if (error instanceof FileMissing) return new AppError('PHOTO_FILE_MISSING')
  if (error instanceof StorageFull) return new AppError('STORAGE_FULL')
  if (isOutage(error)) return new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
  return mapLibraryError(error as { code?: unknown }) ?? new AppError('INTERNAL_ERROR')
}

function withMessage({ details }: ValidationProblem) {
  const [first] = details
  if (!first) return { details }
  return { text: first.path ? `${first.path} ${first.message}.` : `The body ${first.message}.`, details }
}

function mapLibraryError(error: { code?: unknown }): AppError | null {
  const code = typeof error.code === 'string' ? error.code : ''
  const found = libraryErrors[code]
  if (found) return new AppError(found)
  // Caused by the client: it disconnected, or sent something that is not HTTP.
  if (code.startsWith('HPE_') || code === 'ECONNRESET') return new AppError('INVALID_REQUEST')
  if (code === 'SQLITE_FULL' || code === postgresDiskFull || code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('STORAGE_FULL')
  if (/^SQLITE_(BUSY|IOERR|CANTOPEN|PROTOCOL)/.test(code)) {
    return new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  return null
}

const postgresDiskFull = '53100'

const libraryErrors: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'VALIDATION_ERROR',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_STATIC_FORBIDDEN_PATH: 'NOT_FOUND',
}

/** For input that is not HTTP, or headers that are too large or too slow: the framework has no request for it. */
export function sendMalformedRequest(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
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
