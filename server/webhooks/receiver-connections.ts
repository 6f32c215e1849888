import type { Agent, AgentOptions, ClientRequest, RequestOptions } from 'node:http'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import { seconds } from '../platform/clock.ts'
import type { CheckedAddress } from './receiver-address.ts'
import { hostOf } from './receiver-url.ts'

/**
 * A connection rests so long for the next delivery: enough for bursts, and shorter than most receivers keep it, so that
 * few are closed at the moment we write to them.
 */
const restMs = 1500

const agentOptions: AgentOptions = {
  keepAlive: true,
  timeout: restMs,
  maxFreeSockets: 16,
  // No proxy of the environment: it would look up the name once more and connect to what it finds.
  proxyEnv: {},
}

/** A receiver may have addresses that lead nowhere: the next one is tried after this. */
const nextAddressAfterMs = seconds(1)

const maxHeaderBytes = 16_384

export type ReceiverConnections = {
  /** A POST that is not ended yet. It goes to a checked address alone, over a new connection or one that was made so. */
  open: Open
  /** The same over a new connection, which serves this request alone. */
  openNew: Open
  close: () => void
}

type Open = (receiver: CheckedAddress, headers: Record<string, string>, signal: AbortSignal) => Promise<ClientRequest>

type Request = (options: RequestOptions) => ClientRequest

/** `single` makes a connection for each request. */
type Line = { request: Request; resting: Agent; single: Agent }

const createLine = (request: Request, createAgent: (options: AgentOptions) => Agent): Line => ({
  request,
  resting: keyedByAddresses(createAgent(agentOptions)),
  single: createAgent({ ...agentOptions, keepAlive: false }),
})

/** Loaded with the first delivery: most starts send none. */
const lineOf: Record<string, () => Promise<Line>> = {
  'http:': async () => {
    const { Agent, request } = await import('node:http')
    return createLine(request, (options) => new Agent(options))
  },
  'https:': async () => {
    const { Agent, request } = await import('node:https')
    // NODE_TLS_REJECT_UNAUTHORIZED is no switch for what is sent to strangers.
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

/** What the types of `request` do not name: it goes on to the connection, or to the name under which that rests. */
type ConnectionOptions = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> & {
  checkedAddresses: string
}

const optionsOf = ({ url, addresses }: CheckedAddress): RequestOptions & ConnectionOptions => ({
  method: 'POST',
  // The name stays the Host and the name that the certificate must have.
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

/** Rested connections are kept by receiver and by its checked addresses: when these change, none is used any more. */
function keyedByAddresses(agent: Agent): Agent {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options) => `${nameOf(options)}|${(options as ConnectionOptions).checkedAddresses}`
  return agent
}

/** In place of a second look-up, which might find another address. */
function answering(addresses: CheckedAddress['addresses']): LookupFunction {
  return (_name, { all }, answer) => {
    const [first] = addresses
    if (all) process.nextTick(answer, null, addresses)
    else process.nextTick(answer, null, first?.address, first?.family)
  }
}
