import type { FastifySchema, RouteOptions } from 'fastify'
import { version } from '../platform/version.ts'
import { type Components, createComponents } from './components.ts'
import { describeExchange } from './describe-exchange.ts'

export type ApiFamily = {
  title: string
  about: string
  tags: Array<{ name: string; description: string }>
  securitySchemes: Record<string, object>
  access: (route: RouteOptions) => { text: string; securityFields: Record<string, unknown> }
  /** The operations of receivers, by name. */
  webhooks?: (components: Components) => Record<string, object>
}

/** Returns the OpenAPI document of the routes. Throws when two different schemas have the same title. */
export function describeRoutes({ title, about, ...family }: ApiFamily, routes: readonly RouteOptions[]): object {
  const components = createComponents()
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    for (const method of [route.method].flat()) {
      const operation = describeOperation(family, { ...route, method }, components)
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
    }
  }
  const { tags, securitySchemes, webhooks } = family
  return {
    openapi: '3.1.0',
    info: { title, version, description: about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This instance' }],
    tags,
    paths,
    ...(webhooks && { webhooks: webhooks(components) }),
    components: { securitySchemes, ...components },
  }
}

function describeOperation({ access }: Pick<ApiFamily, 'access'>, route: RouteOptions, components: Components) {
  const { operationId, tags, summary, description } = route.schema ?? {}
  const { text, securityFields } = access(route)
  const parameters = describeParameters(route, components)
  return {
    operationId,
    tags,
    summary,
    description: [description, text].filter(Boolean).join('\n\n'),
    ...securityFields,
    ...(parameters.length > 0 && { parameters }),
    ...describeExchange(route, components),
  }
}

type Fields = { properties?: Record<string, object>; required?: string[] }

/** Parameters with a default are optional: the validator fills them in. Those of a path must be in it. */
function describeParameters({ url, schema }: RouteOptions, components: Components) {
  const { params, querystring, headers }: FastifySchema = schema ?? {}
  const isInPath = (name: string) => new RegExp(`:${name}\\b`).test(url)
  const places = { path: params, query: querystring, header: headers } as Record<string, Fields | undefined>
  return Object.entries(places).flatMap(([place, fields]) =>
    Object.entries(fields?.properties ?? {}).flatMap(([name, shape]) => {
      if (place === 'path' && !isInPath(name)) return []
      const { description, examples, ...schema } = components.schema(shape)
      const [example] = (examples ?? []) as unknown[]
      const isRequired = place === 'path' || (fields?.required?.includes(name) === true && schema.default === undefined)
      return [{ name, in: place, required: isRequired, description, schema, ...(example !== undefined && { example }) }]
    }),
  )
}

export const quoteNames = (names: readonly string[]): string => names.map((one) => `\`${one}\``).join(' and ')

/** The same text for all APIs; each API ends the last sentence. */
export const conventions = `**Errors** are JSON with a message in \`error\` and a stable \`code\`. Rely on the code, or on the status if you do not
know the code. Each call lists its errors. Every response has an \`X-Request-Id\`.

**Values.** Times are ISO-8601 in UTC, sizes are in bytes, and IDs are never reused. All keys of a record are always
present, and null if unset. Calls that create something list unknown keys of the body in \`warnings\`, and reject those
that nearly spell a known one. Newer versions can add keys and codes`
