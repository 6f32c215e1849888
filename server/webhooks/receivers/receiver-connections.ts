/**
 * node:http and not undici, which was tried: of about 450 µs for a delivery it saved 15 to 20 µs, and took 12 MB more once
 * loaded. The limits on interim responses and on bytes in `await-response.ts` would be needed with it too.
 */

import type { Agent, AgentOptions, ClientRequest, RequestOptions } from 'node:http'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import { seconds } from '../../platform/time/clock.ts'
import type { CheckedAddress } from './receiver-address.ts'
import { getHost } from './receiver-url.ts'

/** Shorter than the idle timeout of most receivers, so that they rarely close a connection when a request starts. */
const idleTimeoutMs = 1500

const agentOptions: AgentOptions = {
  keepAlive: true,
  timeout: idleTimeoutMs,
  maxFreeSockets: 16,
  // A proxy would resolve the name again and might connect to another address.
  proxyEnv: {},
}

const nextAddressAfterMs = seconds(1)

const maxHeaderBytes = 16_384

export type ReceiverConnections = ReturnType<typeof createReceiverConnections>

type Open = (receiver: CheckedAddress, headers: Record<string, string>, signal: AbortSignal) => Promise<ClientRequest>

type Request = (options: RequestOptions) => ClientRequest

/** `pooled` reuses idle connections; `single` opens a new connection for each request. */
type Transport = { request: Request; pooled: Agent; single: Agent }

const createTransport = (request: Request, createAgent: (options: AgentOptions) => Agent): Transport => ({
  request,
  pooled: keyByAddresses(createAgent(agentOptions)),
  single: createAgent({ ...agentOptions, keepAlive: false }),
})

/** Modules are imported at the first delivery, because a process without webhooks does not need them. */
const transportLoaders: Record<string, () => Promise<Transport>> = {
  'http:': async () => {
    const { Agent, request } = await import('node:http')
    return createTransport(request, (options) => new Agent(options))
  },
  'https:': async () => {
    const { Agent, request } = await import('node:https')
    // NODE_TLS_REJECT_UNAUTHORIZED must not affect requests to third parties.
    return createTransport(request, (options) => new Agent({ ...options, rejectUnauthorized: true }))
  },
}

export function createReceiverConnections() {
  const transports = new Map<string, Promise<Transport>>()

  const createOpener =
    (kind: 'pooled' | 'single'): Open =>
    async (receiver, headers, signal) => {
      const { protocol } = receiver.url
      const transport = transports.get(protocol) ?? transportLoaders[protocol]?.()
      if (!transport) throw new Error('A receiver is neither http nor https')
      transports.set(protocol, transport)
      const { request, [kind]: agent } = await transport
      return request({ ...requestOptions(receiver), agent, headers, signal })
    }

  return {
    /** Opens a POST request to a checked address without sending its body, over an idle or a new connection. */
    open: createOpener('pooled'),
    /** Uses a new connection that serves only this request. */
    openNew: createOpener('single'),
    /** Does not reject: a transport whose modules could not be loaded has no connections. */
    async close() {
      for (const loaded of await Promise.allSettled(transports.values())) {
        if (loaded.status === 'rejected') continue
        loaded.value.pooled.destroy()
        loaded.value.single.destroy()
      }
    },
  }
}

/** Options that the type of `request` lacks. `checkedAddresses` is only for `keyByAddresses`. */
type ConnectionOptions = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> & {
  checkedAddresses: string
}

const requestOptions = ({ url, addresses }: CheckedAddress): RequestOptions & ConnectionOptions => ({
  method: 'POST',
  // The Host header and the certificate check use the name.
  host: getHost(url),
  port: url.port,
  path: url.pathname + url.search,
  maxHeaderSize: maxHeaderBytes,
  lookup: createLookup(addresses),
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
  checkedAddresses: addressKey(addresses),
})

const addressKey = (addresses: CheckedAddress['addresses']): string =>
  addresses
    .map(({ address }) => address)
    .sort()
    .join(',')

/** Connections are shared only by requests with the same checked addresses. */
function keyByAddresses(agent: Agent): Agent {
  const originalGetName = agent.getName.bind(agent)
  agent.getName = (options) => `${originalGetName(options)}|${(options as ConnectionOptions).checkedAddresses}`
  return agent
}

/** The returned lookup gives the checked addresses, because a second DNS lookup might return others. */
function createLookup(addresses: CheckedAddress['addresses']): LookupFunction {
  return (_name, { all }, callback) => {
    const [first] = addresses
    if (all) process.nextTick(callback, null, addresses)
    else process.nextTick(callback, null, first?.address, first?.family)
  }
}
