import type { IncomingMessage } from 'node:http'
import { must } from '../../../contract/must.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { awaitResponse } from './await-response.ts'
import { ClosedWhileIdle, PostFailed, toPostFailure } from './post-failures.ts'
import { readResponseBody } from './read-response-body.ts'
import { type CheckedAddress, resolveReceiver } from './receiver-address.ts'
import { createReceiverConnections, type ReceiverConnections } from './receiver-connections.ts'
import { parseRetryAfter } from './retry-after.ts'

export type PostRequest = {
  url: string
  /** Without Host and Content-Length, which Node adds. */
  headers: Record<string, string>
  body: string
  /** Aborted when the process must end. */
  signal: AbortSignal
}

export type ReceiverResponse = {
  status: number
  /** From `Retry-After`, without a limit. */
  retryAfterMs: number | null
  /** At most 1 KB of UTF-8 that ends with a complete character. */
  body: string
  latencyMs: number
}

export type ReceiverClient = ReturnType<typeof createReceiverClient>

type ClientContext = Pick<PlatformContext, 'config' | 'resolve' | 'clock'>

export function createReceiverClient(ctx: ClientContext) {
  const connections = createReceiverConnections()

  return {
    /** Follows no redirects. Rejects with RejectedAddress (nothing was sent), PostFailed, or the abort reason. */
    async post(request: PostRequest): Promise<ReceiverResponse> {
      const deadline = createDeadline(request.signal, ctx.config.webhooks.httpTimeoutMs)
      try {
        return await rejectOnAbort(deadline.signal, () => attempt(ctx, connections, request, deadline.signal))
      } catch (error) {
        throw toPostFailure(error as NodeJS.ErrnoException)
      } finally {
        deadline.clear()
      }
    },
    close: connections.close,
  }
}

async function attempt(
  ctx: ClientContext,
  connections: ReceiverConnections,
  request: PostRequest,
  signal: AbortSignal,
): Promise<ReceiverResponse> {
  const startedAt = performance.now()
  const receiver = await resolveReceiver(ctx, request.url)
  const response = await sendRequest(connections, receiver, request, signal)
  return {
    status: must(response.statusCode, 'the status of a response'),
    retryAfterMs: parseRetryAfter(response.headers['retry-after'], ctx.clock.now()),
    body: await readResponseBody(response),
    latencyMs: Math.round(performance.now() - startedAt),
  }
}

/**
 * Sends again over a new connection if the receiver has closed an idle one. Receivers recognize a duplicate by the id
 * of the delivery.
 */
async function sendRequest(
  connections: ReceiverConnections,
  receiver: CheckedAddress,
  { headers, body }: PostRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    return await awaitResponse(await connections.open(receiver, headers, signal), body)
  } catch (error) {
    if (!(error instanceof ClosedWhileIdle)) throw error
    return await awaitResponse(await connections.openNew(receiver, headers, signal), body)
  }
}

type Deadline = { signal: AbortSignal; clear: () => void }

function createDeadline(stopSignal: AbortSignal, ms: number): Deadline {
  const deadline = new AbortController()
  const end = () => deadline.abort(stopSignal.reason)
  const timer = setTimeout(() => deadline.abort(new PostFailed(`The receiver did not respond within ${ms} ms.`)), ms)
  if (stopSignal.aborted) end()
  else stopSignal.addEventListener('abort', end)
  return {
    signal: deadline.signal,
    clear() {
      clearTimeout(timer)
      stopSignal.removeEventListener('abort', end)
    },
  }
}

/** Rejects on abort even if `work` does not: a DNS lookup cannot be aborted. */
function rejectOnAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason))
    work().then(resolve, reject)
  })
}
