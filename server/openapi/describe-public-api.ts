import { readFileSync } from 'node:fs'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema, RouteOptions } from 'fastify'
import type { Http } from '../platform/http/create-http.ts'
import { type Components, createComponents } from './components.ts'
import { describeExchange } from './describe-exchange.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const about = `
Events and photos of this instance, for integrations and scripts.

**Tokens.** Every call wants \`Authorization: Bearer prf_live_…\`. The scope \`admin\` implies \`write\`, and \`write\`
implies \`read\`; besides, the account that made the token must have the permission that a call names, and own the event.
Calls without a valid token are limited per address, those with one are not.

**Errors** are JSON with a sentence in \`error\` and a stable \`code\`; rely on the code, and for one that you do not
know on the status. What a call refuses is listed with it. Every answer carries \`X-Request-Id\`.

**Values.** Times are ISO-8601 in UTC, sizes are bytes, ids are never used twice. Every key of a record is always there,
null when unset; more keys and codes may come with newer versions.
`.trim()

const tags = [
  { name: 'events', description: 'Events from draft to archive, their share links and types' },
  { name: 'photos', description: 'Uploading and replacing photos, listing them with their marks, downloading them' },
]

/** Describes the routes registered after it in this scope, from the very schemas that validate (decisions §5). */
export async function describePublicApi(scope: Http): Promise<void> {
  await scope.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Proofroom public API',
        version,
        description: about,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This instance' }],
      tags,
      components: {
        securitySchemes: { apiToken: { type: 'http', scheme: 'bearer', description: 'An API token, `prf_live_…`' } },
      },
    },
    hideUntagged: true,
    ...describing(createComponents()),
  })
  await scope.register(swaggerUi, { routePrefix: '/api/docs', theme: { title: 'Proofroom API' } })
  scope.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/docs')) reply.header('content-security-policy', docsPolicy)
  })
  // Until there is a web page for operators, whoever opens the bare address finds the description of the API.
  scope.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/api/docs'))
  scope.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    return reply.header('access-control-allow-origin', '*').send(scope.swagger())
  })
}

/** The viewer of the documentation sets styles from its script. */
const docsPolicy = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'self'"

type Operation = { operationId?: string; parameters?: Array<{ required: boolean; schema: { default?: unknown } }> }

/**
 * The library describes parameters; bodies, answers and shared parts are described here. A parameter with a default is
 * one that the validator fills in: nobody has to send it.
 */
function describing(components: Components): Pick<FastifyDynamicSwaggerOptions, 'transform' | 'transformObject'> {
  const routes = new Map<string, RouteOptions>()
  return {
    transform({ schema, url, route }) {
      if (!schema?.operationId) return { schema, url }
      routes.set(schema.operationId, route)
      return { schema: describeCall(schema, route, components), url }
    },
    transformObject(described) {
      if (!('openapiObject' in described)) return {}
      const { openapiObject } = described
      for (const operation of Object.values(openapiObject.paths ?? {}).flatMap((path) => Object.values(path ?? {}))) {
        const { operationId = '', parameters = [] } = operation as Operation
        const route = routes.get(operationId)
        if (route) Object.assign(operation, describeExchange(route, components))
        for (const parameter of parameters) parameter.required &&= parameter.schema.default === undefined
      }
      const document = { ...openapiObject, components: { ...openapiObject.components, ...components } }
      // Schemas carry functions that JSON leaves out and that YAML cannot tell.
      return JSON.parse(JSON.stringify(document))
    },
  }
}

/** Whom a call is for, and its parameters. */
function describeCall(schema: FastifySchema, { config = {} }: RouteOptions, components: Components): FastifySchema {
  const { operationId, tags, summary, description, params, querystring, headers } = schema
  const permissions = [config.permission ?? []].flat()
  const named = permissions.map((permission) => `\`${permission}\``).join(' and ')
  const call = {
    operationId,
    tags,
    summary,
    description: `${description}\n\nWants scope \`${config.scope}\` and permission ${named}.`,
    security: [{ apiToken: [] }],
    'x-required-scope': config.scope,
    'x-required-permission': permissions,
    ...components.schema({ params, querystring, headers }),
  }
  return call as FastifySchema
}
