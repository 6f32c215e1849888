import type { FastifyInstance } from 'fastify'

/** Enough for any sign-in, and for a body that repeats the fields of a record. */
export const minBodyBytes = 16 * 2 ** 10
const maxBodyBytes = 2 ** 20

type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  maxLength?: number
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  allOf?: Schema[]
}

/**
 * Gives each route the limit that its schema allows: 16 KB at least, 1 MB at most. Parsing JSON takes the main thread,
 * so a client must not send more than the route can use.
 */
export function limitBodiesBySchema(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { body, consumes } = (route.schema ?? {}) as { body?: Schema; consumes?: readonly string[] }
    if (route.bodyLimit !== undefined || consumes) return
    route.bodyLimit = route.config?.isSignIn || !body ? minBodyBytes : computeBodyLimit(body)
  })
}

/** Returns bytes. Adds a quarter for white space. */
export const computeBodyLimit = (schema: Schema): number =>
  Math.min(maxBodyBytes, Math.max(minBodyBytes, Math.ceil(estimateBytes(schema) * 1.25)))

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
  if (schema.type === 'object' && schema.properties) {
    const keys = Object.keys(schema.properties)
    return keys.reduce((sum, key) => sum + bytesOf(key) + 2, 2) + total(Object.values(schema.properties))
  }
  return ['integer', 'number', 'boolean', 'null'].includes(schema.type ?? '') ? 25 : Number.POSITIVE_INFINITY
}
