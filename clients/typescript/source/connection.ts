import createClient, { type Client } from 'openapi-fetch'
import { withBoundedBody } from './bounded-body.ts'
import type { CallOptions, Verb } from './operation-types.ts'
import { networkError, ProofroomError, toProblem } from './problem.ts'
import { type Repeat, withRetries } from './retries.ts'

export type ConnectionOptions = {
  /** The address of the instance, such as `https://photos.example.com`. */
  baseUrl: string
  /** Sent with every request. */
  headers?: Record<string, string>
  /** How often a call is repeated after a temporary failure; the default is 2. */
  retries?: number
  /** With a longer `Retry-After`, the call is not repeated; the default is 60. */
  maxWaitSeconds?: number
  fetch?: (request: Request) => Promise<Response>
}

export type Exchange = CallOptions & {
  path?: Record<string, unknown> | undefined
  query?: object | undefined
  /** JSON, a form, or bytes. */
  body?: unknown
  repeat?: Repeat
}

/** Sends a request with its retries. Returns a response with a status of 2xx, or 304. Throws ProofroomError. */
export type Send = (verb: Verb, path: string, exchange?: Exchange) => Promise<Response>

type Result = { error?: unknown; response: Response }
type Request1 = (verb: string, path: string, init: object) => Promise<Result>

export function connect<Paths extends object>({
  baseUrl,
  headers,
  retries = 2,
  maxWaitSeconds = 60,
  fetch = (request) => globalThis.fetch(request),
}: ConnectionOptions): { api: Client<Paths>; send: Send } {
  // An error is read as a whole, before its kind is known.
  const boundedFetch = async (asked: Request) => {
    const response = await fetch(asked)
    return response.ok ? response : withBoundedBody(response)
  }
  const api = createClient<Paths>({ baseUrl, ...(headers && { headers }), fetch: boundedFetch })
  const request = api.request as unknown as Request1

  const send: Send = (verb, path, exchange = {}) => {
    const { path: pathParameters, query, body, repeat = 'always', signal, headers: ownHeaders } = exchange
    const isBytes = body instanceof Blob
    const init = {
      params: { path: pathParameters, query },
      body,
      parseAs: 'stream',
      headers: { ...(isBytes && { 'content-type': 'application/octet-stream' }), ...ownHeaders },
      ...(isBytes && { bodySerializer: (bytes: Blob) => bytes }),
      ...(signal && { signal }),
    }
    async function attempt(): Promise<Response> {
      const { error, response } = await request(verb, path, init).catch((cause: unknown) => {
        signal?.throwIfAborted()
        if (cause instanceof ProofroomError) throw cause
        throw networkError(baseUrl, cause)
      })
      if (response.ok || response.status === 304) return response
      throw toProblem(response, error)
    }
    return withRetries(attempt, { retries: exchange.retries ?? retries, maxWaitSeconds, repeat, signal })
  }
  return { api, send }
}
