import type { FastifyRequest } from 'fastify'
import { HealthQuery, InstanceHealth, ProxyFacts } from '../../contract/instance/health.ts'
import { toLanguage } from '../../contract/languages.ts'
import type { Http } from '../platform/http/create-http.ts'
import { isoTime } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getHealthFormatter } from './health-formatter.ts'
import { proxyProbesApi } from './proxy-probes-api.ts'
import { readHealth } from './read-health.ts'

/** `/api/admin/health` is for operators. Programs use `/health` (server/platform/http/health-api.ts). */
export const instanceHealthApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        tags: ['instance'],
        summary: 'Get the health of the instance',
        description: 'Covers this node. The check of the proxy uses this request.',
        querystring: HealthQuery,
        response: { 200: InstanceHealth },
      },
      config: { permission: 'settings.view' },
    },
    async (request) =>
      readHealth(ctx, getHealthFormatter(toLanguage(request.query.language)), await readProxyFacts(ctx, request)),
  )

  app.get(
    '/health/proxy',
    {
      schema: {
        operationId: 'checkProxy',
        tags: ['instance'],
        summary: 'Get how the service sees this request',
        response: { 200: ProxyFacts },
      },
      config: { permission: 'settings.view' },
    },
    async (request) => readProxyFacts(ctx, request),
  )

  await app.register(proxyProbesApi)
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']

const readProxyFacts = async (
  { config, clock, settings }: AppContext,
  request: FastifyRequest,
): Promise<ProxyFacts> => ({
  scheme: request.protocol,
  host: request.host,
  address: request.ip,
  peer_address: request.socket.remoteAddress ?? '',
  public_url: await settings.publicUrl(),
  trust_proxy: config.trustProxy === false ? 'off' : [config.trustProxy].flat().join(', '),
  forwarding_headers: forwardingHeaders.filter((name) => request.headers[name] !== undefined),
  now: isoTime(clock.now()),
})
