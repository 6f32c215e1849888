import type { RouteOptions } from 'fastify'
import { type ProblemCode, problems } from '../../contract/problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Problem codes that the handler of this route returns. `problemsByFilter` adds those of guards and validation. */
    problems?: ProblemCode[]
    /** Problem codes that this route returns with status 400 instead of their usual status. */
    problemsAs400?: ProblemCode[]
  }
}

type RouteFilter = (route: RouteOptions) => boolean

const isPublic: RouteFilter = ({ url }) => url.startsWith('/api/v1/')
const isGuarded: RouteFilter = ({ config }) => config?.permission !== undefined
const isWrite: RouteFilter = ({ method }) => method !== 'GET'

/** All gallery routes except `/info` require a session. */
const isGalleryRoute: RouteFilter = ({ url }) => url.startsWith('/api/gallery/') && !url.endsWith('/info')
const isCustomerRoute: RouteFilter = ({ url }) => /^\/api\/customer\/(?!auth\/)/.test(url)
const requiresSession: RouteFilter = (route) => isGuarded(route) || isGalleryRoute(route) || isCustomerRoute(route)

const problemsByFilter: Array<[matches: RouteFilter, codes: ProblemCode[]]> = [
  [() => true, ['RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE']],
  [requiresSession, ['NO_TOKEN', 'INVALID_TOKEN', 'TOKEN_REVOKED', 'TOKEN_EXPIRED', 'OWNER_INACTIVE']],
  [(route) => isGuarded(route) || isGalleryRoute(route), ['MUST_CHANGE_PASSWORD', 'FORBIDDEN']],
  [isGalleryRoute, ['CUSTOMER_ASSIGNMENT_REVOKED', 'GALLERY_EXPIRED']],
  [(route) => isPublic(route) && route.config?.scope !== 'read', ['INSUFFICIENT_SCOPE']],
  [(route) => !isPublic(route) && isWrite(route), ['CROSS_ORIGIN']],
  [({ schema = {} }) => 'params' in schema || 'querystring' in schema, ['VALIDATION_ERROR']],
  [({ schema = {} }) => 'params' in schema, ['NOT_FOUND']],
  [isWrite, ['INVALID_JSON', 'VALIDATION_ERROR', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'STORAGE_FULL']],
  [acceptsIdempotencyKey, ['NOT_FOUND', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']],
  [({ schema }) => 206 in ((schema?.response ?? {}) as object), ['RANGE_NOT_SATISFIABLE']],
]

export function acceptsIdempotencyKey({ schema }: RouteOptions): boolean {
  const { properties = {} } = (schema?.headers ?? {}) as { properties?: object }
  return 'idempotency-key' in properties
}

/** Returns the problem codes of a route by status, in the order of `contract/problems.ts`; `problemsAs400` are last. */
export function listProblemCodes(route: RouteOptions): Partial<Record<string, ProblemCode[]>> {
  const filteredCodes = problemsByFilter.flatMap(([matches, codes]) => (matches(route) ? codes : []))
  const codes = new Set([...filteredCodes, ...(route.config?.problems ?? [])])
  // The public API accepts no cookies.
  if (isPublic(route)) codes.delete('CROSS_ORIGIN')
  const orderedCodes = (Object.keys(problems) as ProblemCode[]).filter((code) => codes.has(code))
  const byStatus = Object.groupBy(orderedCodes, (code) => `${problems[code].status}`)
  const as400 = route.config?.problemsAs400 ?? []
  return as400.length === 0 ? byStatus : { ...byStatus, 400: [...(byStatus[400] ?? []), ...as400] }
}
