import type { FastifyRequest } from 'fastify'
import type { ProxyFacts } from '../../contract/health.ts'
import { isoTime } from '../platform/clock.ts'
import type { AppContext } from '../settings/app-context.ts'

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']

export const readProxyFacts = ({ config, clock }: AppContext, request: FastifyRequest): ProxyFacts => ({
  scheme: request.protocol,
  host: request.host,
  address: request.ip,
  peer_address: request.socket.remoteAddress ?? '',
  public_url: config.publicUrl,
  trust_proxy: config.trustProxy === false ? 'off' : [config.trustProxy].flat().join(', '),
  forwarding_headers: forwardingHeaders.filter((name) => request.headers[name] !== undefined),
  now: isoTime(clock.now()),
})
