import type { Agent, AgentOptions, ClientRequest, RequestOptions } from 'node:http'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import { seconds } from '../platform/clock.ts'
import type { CheckedAddress } from './receiver-address.ts'
import { hostOf } from './receiver-url.ts'

/** Shorter than the idle timeout of most receivers, which would otherwise close connections in use. */
const restMs = 1500

const agentOptions: AgentOptions = {
  keepAlive: true,
  timeout: restMs,
  maxFreeSockets: 16,
  // A proxy would resolve the name again and might connect to another address.
  proxyEnv: {},
}

/** The time after which the next address of a receiver is tried. */
const nextAddressAfterMs = seconds(1)

const maxHeaderBytes = 16_384

export type ReceiverConnections = {
  /** Opens a POST request to a checked address without sending its body, over an idle or a new connection. */
  open: Open
  /** Uses a new connection that serves only this request. */
  openNew: Open
  close: () => void
}

type Open = (receiver: CheckedAddress, headers: Record<string, string>, signal: AbortSignal) => Promise<ClientRequest>

type Request = (options: RequestOptions) => ClientRequest

/** `single` opens a connection for each request. */
type Line = { request: Request; resting: Agent; single: Agent }

const createLine = (request: Request, createAgent: (options: AgentOptions) => Agent): Line => ({
  request,
  resting: keyedByAddresses(createAgent(agentOptions)),
  single: createAgent({ ...agentOptions, keepAlive: false }),
})

/** Imported for the first delivery, because most starts send none. */
const lineOf: Record<string, () => Promise<Line>> = {
  'http:': async () => {
    const { Agent, request } = await import('node:http')
    return createLine(request, (options) => new Agent(options))
  },
  'https:': async () => {
    const { Agent, request } = await import('node:https')
    // NODE_TLS_REJECT_UNAUTHORIZED must not affect requests to third parties.
    return createLine(request, (options) => new Agent({ ...options, rejectUnauthorized: true }))
  },
}

export function createReceiverConnections(): ReceiverConnections {
  const lines = new Map<string, Promise<Line>>()

  const opener =
    (kind: 'resting' | 'single'): Open =>
    async (receiver, headers, signal) => {
      const { protocol } = receiver.url
      const line = lines.get(protocol) ?? lineOf[protocol]?.()
      if (!line) throw new Error('A receiver is neither http nor https')
      lines.set(protocol, line)
      const { request, [kind]: agent } = await line
      return request({ ...optionsOf(receiver), agent, headers, signal })
    }

  return {
    open: opener('resting'),
    openNew: opener('single'),
    async close() {
      for (const line of lines.values()) {
        const { resting, single } = await line
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

const optionsOf = ({ url, addresses }: CheckedAddress): RequestOptions & ConnectionOptions => ({
  method: 'POST',
  // The Host header and the certificate check use the name.
  host: hostOf(url),
  port: url.port,
  path: url.pathname + url.search,
  maxHeaderSize: maxHeaderBytes,
  lookup: answering(addresses),
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
  checkedAddresses: namesOf(addresses),
})

const namesOf = (addresses: CheckedAddress['addresses']): string =>
  addresses
    .map(({ address }) => address)
    .sort()
    .join(',')

/** When the checked addresses change, idle connections are not used again. */
function keyedByAddresses(agent: Agent): Agent {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options) => `${nameOf(options)}|${(options as ConnectionOptions).checkedAddresses}`
  return agent
}

/** Replaces a second DNS lookup, which might return another address. */
function answering(addresses: CheckedAddress['addresses']): LookupFunction {
  return (_name, { all }, answer) => {
    const [first] = addresses
    if (all) process.nextTick(answer, null, addresses)
    else process.nextTick(answer, null, first?.address, first?.family)
  }
}
