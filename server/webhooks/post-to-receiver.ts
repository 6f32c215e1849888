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
  /** Without host and content-length, which are set here. */
  headers: Record<string, string>
  body: string
  /** Raised when the process must end: the attempt is broken off and rejects with its reason. */
  signal: AbortSignal
}

/** What the receiver answered, whatever its status. */
export type Posted = {
  status: number
  /** From `Retry-After`, either form; not bounded here. */
  retryAfterMs: number | null
  /** At most 1 KB of UTF-8, ending with a whole character. */
  body: string
  latencyMs: number
}

export type Poster = {
  /**
   * One attempt, within WEBHOOK_HTTP_TIMEOUT_MS from the look-up of the name to the end of the answer; follows nothing.
   * Rejects with RefusedAddress (nothing was sent, and nothing may be), with PostFailed (no whole answer in time), or,
   * when the signal is raised, with its reason.
   */
  post: (request: PostRequest) => Promise<Posted>
  /** Closes the connections that rest for the next delivery. */
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

/**
 * A rested connection may be closed at the moment we write to it, without a word. Nothing of an answer was lost, and the
 * id of the delivery tells the receiver if it had come: it is posted once more, over a connection of its own.
 */
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

/** Raised when the time is over, or when the process must end. */
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

/** Whatever the work still waits for: a look-up cannot be broken off, and not all that is cut off says so. */
function unlessRaised<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason))
    work().then(resolve, reject)
  })
}
