import { HealthQuery, InstanceHealth, ProxyFacts } from '../../contract/health.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getHealthFormatter } from './health-formatter.ts'
import { readProxyFacts } from './proxy-facts-request.ts'
import { proxyProbesApi } from './proxy-probes-api.ts'
import { readHealth } from './read-health.ts'

/** For operators; programs use `/health`. */
export const instanceHealthApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        tags: ['instance'],
        summary: 'How the service is doing, in plain words',
        description: 'Of this node, and of this request as far as the proxy is concerned.',
        querystring: HealthQuery,
        response: { 200: InstanceHealth },
      },
      config: { permission: 'settings.view' },
    },
    (request) => readHealth(ctx, getHealthFormatter(request.query.language), readProxyFacts(ctx, request)),
  )

  app.get(
    '/health/proxy',
    {
      schema: {
        operationId: 'checkProxy',
        tags: ['instance'],
        summary: 'What the service takes this very request for',
        response: { 200: ProxyFacts },
      },
      config: { permission: 'settings.view' },
    },
    async (request) => readProxyFacts(ctx, request),
  )

  await app.register(proxyProbesApi)
}
