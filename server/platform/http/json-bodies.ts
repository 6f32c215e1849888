import type { FastifyInstance } from 'fastify'
import { AppError, invalidField } from '../app-error.ts'

/**
 * Accepts only JSON, or an empty body as undefined. Normalizes string values, not keys, to NFC, and rejects those with
 * NUL or lone surrogates. Rejects more than 50 levels of nesting.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const text = decodeUtf8(body as Buffer)
    if (text === null) return done(new AppError('INVALID_JSON'))
    parse(request, text, (error, value) => {
      if (error) return done(new AppError('INVALID_JSON'))
      try {
        done(null, normalizeJson(value))
      } catch (appError) {
        done(appError as Error)
      }
    })
  })
}

/** For routes that must work with any body: a body that is invalid JSON or has invalid text becomes undefined. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    try {
      return normalizeJson(JSON.parse(decodeUtf8(body) ?? ''))
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

const maxLevels = 50

function normalizeJson(value: unknown, path: string[] = []): unknown {
  if (path.length > maxLevels) throw invalidText(path.slice(0, 1), 'The body is nested too deeply.')
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw invalidText(path, 'Text must not contain NUL characters or broken Unicode.')
    }
    return value.normalize('NFC')
  }
  if (Array.isArray(value)) return value.map((inner, index) => normalizeJson(inner, [...path, String(index)]))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normalizeJson(inner, [...path, key])]))
  }
  return value
}

const invalidText = (path: string[], message: string): AppError =>
  invalidField(path.map((key) => key.slice(0, 100)).join('.'), message)
