import type { FastifyInstance } from 'fastify'

/** Enough for any sign-in, and for a body that repeats the fields of a record. */
export const minBodyBytes = 16 * 2 ** 10
const maxBytes = { open: 64 * 2 ** 10, openList: 256 * 2 ** 10, guarded: 2 ** 20 }

type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  maxLength?: number
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
}

/**
 * Gives each route the limit that its schema allows, 16 KB at least. Parsing JSON takes the main thread, so a client must
 * not send more than the route can use. Routes without the guard of an account read at most 64 KB, or 256 KB if the body
 * has a list of ids. Throws at startup if the schema of such a route has no bound.
 */
export function limitBodiesBySchema(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { body, consumes } = (route.schema ?? {}) as { body?: Schema; consumes?: readonly string[] }
    if (consumes) return
    const isOpen = route.config?.permission === undefined
    if (isOpen && body && !Number.isFinite(estimateBytes(body))) {
      throw new Error(`${String(route.method)} ${route.url} is open to guests, and the schema of its body has no bound`)
    }
    route.bodyLimit ??= route.config?.isSignIn || !body ? minBodyBytes : computeBodyLimit(body, isOpen)
  })
}

/** Returns bytes. Adds a quarter for white space. `isOpen`: guests or callers without a session may call the route. */
export function computeBodyLimit(schema: Schema, isOpen: boolean): number {
  const most = !isOpen ? maxBytes.guarded : hasIdList(schema) ? maxBytes.openList : maxBytes.open
  return Math.min(most, Math.max(minBodyBytes, Math.ceil(estimateBytes(schema) * 1.25)))
}

const hasIdList = ({ items, properties = {}, anyOf = [] }: Schema): boolean =>
  items ? estimateBytes(items) <= maxIdBytes : [...Object.values(properties), ...anyOf].some(hasIdList)

/** A number with a sign, all digits and an exponent. */
const maxNumberBytes = 25
/** A number, or a number as text. */
const maxIdBytes = 100
const bytesOf = (value: unknown): number => JSON.stringify(value).length
const largest = (schemas: readonly Schema[]): number => Math.max(0, ...schemas.map(estimateBytes))
const total = (schemas: readonly Schema[]): number => schemas.reduce((sum, schema) => sum + estimateBytes(schema), 0)

/** The bytes of the largest valid JSON. Escapes take six bytes for each character. */
function estimateBytes(schema: Schema): number {
  if ('const' in schema) return bytesOf(schema.const)
  if (schema.enum) return Math.max(...schema.enum.map(bytesOf))
  if (schema.anyOf) return largest(schema.anyOf)
  if (schema.allOf) return total(schema.allOf)
  if (schema.type === 'string') return (schema.maxLength ?? Number.POSITIVE_INFINITY) * 6 + 2
  if (schema.type === 'array' && schema.items) {
    return (schema.maxItems ?? Number.POSITIVE_INFINITY) * (estimateBytes(schema.items) + 1) + 2
  }
  if (schema.type === 'object' && schema.properties && typeof schema.additionalProperties !== 'object') {
    const keys = Object.keys(schema.properties)
    return keys.reduce((sum, key) => sum + bytesOf(key) + 2, 2) + total(Object.values(schema.properties))
  }
  return ['integer', 'number', 'boolean', 'null'].includes(schema.type ?? '')
    ? maxNumberBytes
    : Number.POSITIVE_INFINITY
}
