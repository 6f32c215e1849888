import { isDeepStrictEqual } from 'node:util'
import { type ResponseHeader, responseHeaders } from '../../contract/response-headers.ts'

type JsonObject = Record<string, unknown>
type Reference = { $ref: string }

export type Components = ReturnType<typeof createComponents>

export function createComponents() {
  const schemas: Record<string, JsonObject> = {}
  const seen: NamingState['seen'] = new Map()
  const examples: Record<string, { value: unknown }> = {}
  const headers: Record<string, (typeof responseHeaders)[ResponseHeader]> = {}

  return {
    schemas,
    examples,
    headers,

    /** Moves all schemas that have a title into the components and refers to them by that title. */
    schema: (schema: object): JsonObject => nameSchemas(schema, { named: schemas, seen }) as JsonObject,

    example(name: string, value: unknown): Reference {
      examples[name] = { value }
      return { $ref: `#/components/examples/${name}` }
    },

    header(name: ResponseHeader): Reference {
      headers[name] = responseHeaders[name]
      return { $ref: `#/components/headers/${name}` }
    },
  }
}

/** `seen` holds the results by schema, so that shared schemas are processed once. */
type NamingState = { named: Record<string, JsonObject>; seen: Map<object, JsonObject> }

function nameSchemas(schema: unknown, naming: NamingState): unknown {
  if (Array.isArray(schema)) return schema.map((one) => nameSchemas(one, naming))
  if (typeof schema !== 'object' || schema === null) return schema
  const done = naming.seen.get(schema) ?? nameSchema(schema, naming)
  naming.seen.set(schema, done)
  return done
}

function nameSchema(schema: object, naming: NamingState): JsonObject {
  const { named } = naming
  const { title } = schema as JsonObject
  const isNamed = typeof title === 'string'
  const documented = Object.entries(schema).filter(
    ([key]) => key !== 'x-streamed' && key !== 'x-file-name' && !(isNamed && key === 'title'),
  )
  const described = withNullAsType(
    Object.fromEntries(documented.map(([key, value]) => [key, nameSchemas(value, naming)])),
  )
  if (!isNamed) return described
  if (named[title] && !isDeepStrictEqual(named[title], described)) throw new Error(`Two schemas are called ${title}`)
  named[title] = described
  return { $ref: `#/components/schemas/${title}` }
}

/** Replaces `anyOf` of a type and null by a list of types, which more client generators support. */
function withNullAsType(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  const [first, second] = (anyOf ?? []) as JsonObject[]
  if (second?.type !== 'null' || typeof first?.type !== 'string') return schema
  const enumValues = first.enum as unknown[] | undefined
  return { ...first, type: [first.type, 'null'], ...(enumValues && { enum: [...enumValues, null] }), ...rest }
}
