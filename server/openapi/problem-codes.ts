import type { RouteOptions } from 'fastify'
import { type ProblemCode, problems } from '../../contract/problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the deed behind this route refuses, for its description; what guard and schema refuse is stated below. */
    problems?: ProblemCode[]
  }
}

/** What all routes of a kind refuse. */
const problemsOfKinds: Array<[isOfKind: (route: RouteOptions) => boolean, codes: ProblemCode[]]> = [
  [() => true, ['NO_TOKEN', 'INVALID_TOKEN', 'TOKEN_REVOKED', 'TOKEN_EXPIRED', 'OWNER_INACTIVE']],
  [() => true, ['MUST_CHANGE_PASSWORD', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE']],
  [({ config }) => config?.scope !== 'read', ['INSUFFICIENT_SCOPE']],
  [({ schema = {} }) => 'params' in schema || 'querystring' in schema, ['VALIDATION_ERROR']],
  [({ schema = {} }) => 'params' in schema, ['NOT_FOUND']],
  [({ method }) => method !== 'GET', ['INVALID_JSON', 'VALIDATION_ERROR', 'BODY_TOO_LARGE']],
  [({ method }) => method !== 'GET', ['UNSUPPORTED_MEDIA_TYPE', 'STORAGE_FULL']],
  [isOncePerKey, ['NOT_FOUND', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']],
  [({ schema }) => 206 in ((schema?.response ?? {}) as object), ['RANGE_NOT_SATISFIABLE']],
]

/** Whether the route takes an `Idempotency-Key`. */
export function isOncePerKey({ schema }: RouteOptions): boolean {
  const { properties = {} } = (schema?.headers ?? {}) as { properties?: object }
  return 'idempotency-key' in properties
}

/** All that a route may refuse, in the order of `contract/problems.ts`. */
export function problemCodesOf(route: RouteOptions): ProblemCode[] {
  const ofKinds = problemsOfKinds.flatMap(([isOfKind, codes]) => (isOfKind(route) ? codes : []))
  const codes = new Set([...ofKinds, ...(route.config?.problems ?? [])])
  return (Object.keys(problems) as ProblemCode[]).filter((code) => codes.has(code))
}
