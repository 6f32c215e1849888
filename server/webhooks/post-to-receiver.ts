import type { IncomingMessage } from 'node:http'
import type { PlatformContext } from '../platform/platform-context.ts'
import { awaitAnswer } from './await-answer.ts'
import { ClosedAtRest, failureOf, PostFailed } from './post-failures.ts'
import { readAnswer } from './read-answer.ts'
import { type CheckedAddress, resolveReceiver } from './receiver-address.ts'
import { createReceiverConnections, type ReceiverConnections } from './receiver-connections.ts'
import { parseRetryAfter } from './retry-after.ts'

export { PostFailed } from './post-failures.ts'

export type PostRequest = {
  url: string
  /** Without Host and Content-Length. */
  headers: Record<string, string>
  body: string
  /** Aborted when the process must end. */
  signal: AbortSignal
}

export type Posted = {
  status: number
  /** From `Retry-After`; not limited. */
  retryAfterMs: number | null
  /** At most 1 KB of UTF-8 that ends with a complete character. */
  body: string
  latencyMs: number
}

export type Poster = {
  /** Follows no redirects. Rejects with RejectedAddress (nothing was sent), PostFailed, or the abort reason. */
  post: (request: PostRequest) => Promise<Posted>
  close: () => void
}

type PosterContext = Pick<PlatformContext, 'config' | 'resolve' | 'clock'>

export function createPoster(ctx: PosterContext): Poster {
  const connections = createReceiverConnections()

  return {
    async post(request) {
      const limit = createLimit(request.signal, ctx.config.webhooks.httpTimeoutMs)
      try {
        return await unlessRaised(limit.signal, () => attempt(ctx, connections, request, limit.signal))
      } catch (error) {
        throw failureOf(error as NodeJS.ErrnoException)
      } finally {
        limit.lift()
      }
    },
    close: connections.close,
  }
}

async function attempt(
  ctx: PosterContext,
  connections: ReceiverConnections,
  request: PostRequest,
  signal: AbortSignal,
): Promise<Posted> {
  const startedAt = performance.now()
  const receiver = await resolveReceiver(ctx, request.url)
  const answer = await answerOf(connections, receiver, request, signal)
  return {
    status: answer.statusCode ?? 0,
    retryAfterMs: parseRetryAfter(answer.headers['retry-after'], ctx.clock.now()),
    body: await readAnswer(answer),
    latencyMs: Math.round(performance.now() - startedAt),
  }
}

/** If an idle connection closes, sends again: the receiver recognizes a duplicate by the id of the delivery. */
async function answerOf(
  connections: ReceiverConnections,
  receiver: CheckedAddress,
  { headers, body }: PostRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    return await awaitAnswer(await connections.open(receiver, headers, signal), body)
  } catch (error) {
    if (!(error instanceof ClosedAtRest)) throw error
    return await awaitAnswer(await connections.openNew(receiver, headers, signal), body)
  }
}

type Limit = { signal: AbortSignal; lift: () => void }

function createLimit(ending: AbortSignal, ms: number): Limit {
  const limit = new AbortController()
  const end = () => limit.abort(ending.reason)
  const timer = setTimeout(() => limit.abort(new PostFailed(`The receiver did not answer within ${ms} ms.`)), ms)
  if (ending.aborted) end()
  else ending.addEventListener('abort', end)
  return {
    signal: limit.signal,
    lift() {
      clearTimeout(timer)
      ending.removeEventListener('abort', end)
    },
  }
}

/** Rejects on abort even if `work` does not: a DNS lookup cannot be aborted. */
function unlessRaised<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason))
    work().then(resolve, reject)
  })
}
