import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/**
 * Accepts only JSON, or an empty body as undefined. The validator of the route drops unknown keys and normalizes text, so
 * that nothing is computed from a value that the schema does not allow.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const text = decodeUtf8(body as Buffer)
    if (text === null) return done(new AppError('INVALID_JSON'))
    parse(request, text, (error, value) => (error ? done(new AppError('INVALID_JSON')) : done(null, value)))
  })
}

/** For routes that must work with any body: a body that is invalid JSON becomes undefined. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    try {
      return JSON.parse(decodeUtf8(body) ?? '')
    } catch {
      return undefined
    }
  })
}

/** Returns null for bytes that are not UTF-8; a lenient decoder would change the text. */
function decodeUtf8(body: Buffer): string | null {
  try {
    return utf8.decode(body)
  } catch {
    return null
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
