import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { ProblemReply } from '../contract/shapes.ts'
import type { Http } from './platform/http/create-http.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Describes the routes registered after it in this scope, from the very schemas that validate (decisions §5). */
export async function describePublicApi(scope: Http): Promise<void> {
  await scope.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Proofroom public API',
        version,
        description: 'Events and photos for integrations. Errors carry a stable `code`; see the Problem schema.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This instance' }],
      tags: [{ name: 'events' }, { name: 'photos' }],
      components: {
        securitySchemes: { apiToken: { type: 'http', scheme: 'bearer', description: 'An API token, prf_live_…' } },
      },
      security: [{ apiToken: [] }],
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({ schema: { ...schema, ...withProblems(schema) }, url: url, route }),
  })
  scope.addSchema(ProblemReply)
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

const problem = (description: string) => ({ description, ...ProblemReply })

const withProblems = (schema: { response?: unknown } | undefined) => ({
  response: {
    ...(schema?.response as object | undefined),
    '4xx': problem('Refused; `code` says why'),
    '5xx': problem('Try again later'),
  },
})
