import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { KnownPaths } from './known-paths.ts'

/** Returns METHOD_NOT_ALLOWED for a known path, with `Allow` in the reply, else NOT_FOUND with what may be wrong. */
export function describeUnknownRoute(paths: KnownPaths, request: FastifyRequest, reply: FastifyReply): AppError {
  const path = request.url.replace(/[?#].*/s, '')
  const methods = paths.methodsOf(path)
  // A route of files did not find the file.
  if (methods.includes(request.method)) return new AppError('NOT_FOUND')
  if (methods.length > 0) {
    reply.header('allow', methods.join(', '))
    return new AppError('METHOD_NOT_ALLOWED', { text: `Use another method: this path accepts ${methods.join(', ')}.` })
  }
  const details = [{ path: '', message: 'is not sent to a path of this service', kind: 'unknown_path' as const }]
  return new AppError('NOT_FOUND', { text: findReason(paths, path), details })
}

function findReason(paths: KnownPaths, path: string): string {
  const isKnown = (other: string) => paths.methodsOf(other).length > 0
  const trimmed = path.replace(/(?<!\/)\/+$/, '')
  if (trimmed !== path && isKnown(trimmed)) return 'This path does not exist. Remove the slash at its end.'
  if (path.includes('//') && isKnown(path.replace(/\/{2,}/g, '/'))) {
    return 'This path does not exist. It contains two slashes in a row; an ID may be missing between them.'
  }
  if (!/^\/api(\/|$)/.test(path) && isKnown(`/api${trimmed}`)) {
    return 'This path does not exist. Paths of the API begin with /api.'
  }
  if (isKnown(trimmed.replace(/^\/api\//, '/api/v1/'))) {
    return 'This path does not exist. Paths for API tokens begin with /api/v1.'
  }
  return 'This path does not exist. See /api/docs for the paths of the API.'
}
