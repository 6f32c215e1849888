import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { BodyWarning } from '../../../contract/shapes.ts'
import { findClosestName } from '../configuration/closest-name.ts'
import { ValidationProblem } from '../errors/app-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes that create: what the response says about ignored keys of the body. */
    bodyWarnings: BodyWarning[] | undefined
  }
}

/** Each key is compared with all known ones, on the main thread. */
const maxCompared = 50
const maxWarnings = 20
const maxKeyLength = 100

/**
 * Routes that create something ignore unknown keys of a JSON body and list them in `warnings` of the response. A key
 * within two edits of a known one is 400 VALIDATION_ERROR, because its value would be lost.
 */
export function reportUnknownKeys(app: FastifyInstance): void {
  app.decorateRequest('bodyWarnings', undefined)
  app.addHook('onRoute', (route) => {
    const known = listIgnoringKeys(route)
    if (known.length === 0) return
    const check = async (request: FastifyRequest) => {
      const unknown = listUnknownKeys(request.body, known)
      assertNotMisspelt(unknown, known)
      request.bodyWarnings = describeIgnored(unknown)
    }
    route.preValidation = [...[route.preValidation ?? []].flat(), check]
    route.preSerialization = [...[route.preSerialization ?? []].flat(), addWarnings]
  })
}

type BodySchema = { properties?: Record<string, unknown>; additionalProperties?: unknown; anyOf?: BodySchema[] }

/** Returns the known keys of a route that creates and ignores other keys, else nothing. */
function listIgnoringKeys({ method, schema }: RouteOptions): string[] {
  const body = (schema?.body ?? {}) as BodySchema
  // The body is optional if it may also be null.
  const { properties, additionalProperties } = body.anyOf?.find((one) => one.properties) ?? body
  const isCreating = method === 'POST' && 201 in ((schema?.response ?? {}) as object)
  return isCreating && properties && additionalProperties === undefined ? Object.keys(properties) : []
}

function listUnknownKeys(body: unknown, known: readonly string[]): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  return Object.keys(body).filter((key) => !known.includes(key))
}

/** Throws ValidationProblem that names the known key for each unknown one that nearly spells it. */
export function assertNotMisspelt(unknown: readonly string[], known: readonly string[]): void {
  const details = unknown.slice(0, maxCompared).flatMap((key) => {
    const closest = findClosestName(key, known)
    const message = `is not a known field: did you mean ${closest}?`
    return closest === null ? [] : [{ path: key.slice(0, maxKeyLength), message, kind: 'unknown_field' as const }]
  })
  if (details.length > 0) throw new ValidationProblem(details)
}

function describeIgnored(unknown: readonly string[]): BodyWarning[] {
  const more = unknown.length - maxWarnings
  return [
    ...unknown.slice(0, maxWarnings).map((key) => ({
      path: key.slice(0, maxKeyLength),
      message: 'is not a known field and was ignored',
    })),
    ...(more > 0 ? [{ path: '', message: `has ${more} more unknown fields that were ignored` }] : []),
  ]
}

async function addWarnings({ bodyWarnings: warnings }: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (!warnings?.length || reply.statusCode !== 201) return payload
  return { ...(payload as object), warnings }
}
