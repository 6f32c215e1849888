import type { Agent, AgentOptions, ClientRequest, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import { seconds } from '../platform/clock.ts'
import type { CheckedAddress } from './receiver-address.ts'
import { hostOf } from './receiver-url.ts'

/**
 * A connection rests so long for the next delivery: enough for bursts, and shorter than any receiver keeps it, so that
 * none is closed at the moment we write to it.
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

const mostHeaderBytes = 16_384

export type ReceiverConnections = {
  /** A POST that is not ended yet. It goes to a checked address alone, over a new connection or one that was made so. */
  open: (receiver: CheckedAddress, headers: Record<string, string>, signal: AbortSignal) => Promise<ClientRequest>
  close: () => void
}

type Line = { request: (options: RequestOptions) => ClientRequest; agent: Agent }

/** Loaded with the first delivery: most starts send none. */
const lineOf: Record<string, () => Promise<Line>> = {
  'http:': async () => {
    const { Agent, request } = await import('node:http')
    return { request, agent: keyedByAddresses(new Agent(agentOptions)) }
  },
  'https:': async () => {
    const { Agent, request } = await import('node:https')
    // NODE_TLS_REJECT_UNAUTHORIZED is no switch for what is sent to strangers.
    return { request, agent: keyedByAddresses(new Agent({ ...agentOptions, rejectUnauthorized: true })) }
  },
}

export function createReceiverConnections(): ReceiverConnections {
  const lines = new Map<string, Promise<Line>>()

  return {
    async open({ url, addresses }, headers, signal) {
      const line = lines.get(url.protocol) ?? lineOf[url.protocol]?.()
      if (!line) throw new Error('A receiver is neither http nor https')
      lines.set(url.protocol, line)
      const { request, agent } = await line
      return request({
        agent,
        method: 'POST',
        // The name stays the Host and the name that the certificate must have.
        host: hostOf(url),
        port: url.port,
        path: url.pathname + url.search,
        headers,
        signal,
        maxHeaderSize: mostHeaderBytes,
        lookup: answering(addresses),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
        checkedAddresses: namesOf(addresses),
      } as RequestOptions)
    },
    async close() {
      for (const line of lines.values()) (await line).agent.destroy()
    },
  }
}

const namesOf = (addresses: CheckedAddress['addresses']): string =>
  addresses
    .map(({ address }) => address)
    .sort()
    .join(',')

/** Rested connections are kept by receiver and by its checked addresses: when these change, none is used any more. */
function keyedByAddresses(agent: Agent): Agent {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options) => `${nameOf(options)}|${(options as { checkedAddresses?: string }).checkedAddresses}`
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
