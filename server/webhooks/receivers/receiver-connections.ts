import type { Agent, AgentOptions, ClientRequest, RequestOptions } from 'node:http'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import { seconds } from '../../platform/clock.ts'
import type { CheckedAddress } from './receiver-address.ts'
import { getHost } from './receiver-url.ts'

/** Shorter than the idle timeout of most receivers, which would otherwise close connections in use. */
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

/** `single` opens a connection for each request. */
type Transport = { request: Request; resting: Agent; single: Agent }

const createTransport = (request: Request, createAgent: (options: AgentOptions) => Agent): Transport => ({
  request,
  resting: keyByAddresses(createAgent(agentOptions)),
  single: createAgent({ ...agentOptions, keepAlive: false }),
})

/** Imported for the first delivery, because most starts send none. */
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
    (kind: 'resting' | 'single'): Open =>
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
    open: createOpener('resting'),
    /** Uses a new connection that serves only this request. */
    openNew: createOpener('single'),
    async close() {
      for (const transport of transports.values()) {
        const { resting, single } = await transport
        resting.destroy()
        single.destroy()
      }
    },
  }
}

/** Options that the types of `request` lack: for the connection, or for its name in the agent. */
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

/** When the checked addresses change, idle connections are not used again. */
function keyByAddresses(agent: Agent): Agent {
  const originalGetName = agent.getName.bind(agent)
  agent.getName = (options) => `${originalGetName(options)}|${(options as ConnectionOptions).checkedAddresses}`
  return agent
}

/** Replaces a second DNS lookup, which might return another address. */
function createLookup(addresses: CheckedAddress['addresses']): LookupFunction {
  return (_name, { all }, callback) => {
    const [first] = addresses
    if (all) process.nextTick(callback, null, addresses)
    else process.nextTick(callback, null, first?.address, first?.family)
  }
}
