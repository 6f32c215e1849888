import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Backends } from '../platform/backends.ts'
import { readAnswer } from './read-answer.ts'
import { resolveReceiver, UnresolvedName } from './receiver-address.ts'
import { createReceiverConnections, type ReceiverConnections } from './receiver-connections.ts'
import { parseRetryAfter } from './retry-after.ts'

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

/** No whole answer: not resolved, not connected, not in time, cut off. The message is a sentence that holds no address. */
export class PostFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PostFailed'
  }
}

type PosterHouse = Pick<Backends, 'config' | 'resolve' | 'clock'>

export function createPoster(house: PosterHouse): Poster {
  const connections = createReceiverConnections()

  return {
    async post(request) {
      const limit = createLimit(request.signal, house.config.webhooks.httpTimeoutMs)
      try {
        return await unlessRaised(limit.signal, () => attempt(house, connections, request, limit.signal))
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
  house: PosterHouse,
  connections: ReceiverConnections,
  { url, headers, body }: PostRequest,
  signal: AbortSignal,
): Promise<Posted> {
  const startedAt = performance.now()
  const receiver = await resolveReceiver(house, url)
  const answer = await answerTo(await connections.open(receiver, headers, signal), body)
  return {
    status: answer.statusCode ?? 0,
    retryAfterMs: parseRetryAfter(answer.headers['retry-after'], house.clock.now()),
    body: await readAnswer(answer),
    latencyMs: Math.round(performance.now() - startedAt),
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

function answerTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // It stays for what becomes of the connection later.
    request.on('error', reject)
    request.on('response', resolve)
    // The end of the connection comes without an error where the receiver has switched to another protocol.
    request.on('close', () => reject(new PostFailed(cutOff)))
    request.end(body)
  })
}

const cutOff = 'The receiver cut the connection before its answer was whole.'

const failureTexts: Array<[RegExp, string]> = [
  [/^ECONNREFUSED$/, 'The receiver refuses connections.'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)$/, cutOff],
  [/^HPE_HEADER_OVERFLOW$/, 'The headers of the answer are too long.'],
  [/^HPE_/, 'The receiver does not answer as a web server does.'],
  [
    /^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|HOSTNAME_)|CERT/,
    'No secure connection can be made: the certificate or the protocol of the receiver is not accepted.',
  ],
]

/** What has gone wrong, without addresses. What is no failure of a connection goes on as it is: it is a defect. */
function failureOf(error: NodeJS.ErrnoException): Error {
  if (error instanceof UnresolvedName) return new PostFailed(error.message)
  const code = error.code ?? ''
  const [, known] = failureTexts.find(([pattern]) => pattern.test(code)) ?? []
  const text = known ?? (error.syscall && 'The receiver cannot be reached.')
  return text ? new PostFailed(`${text} (${code})`) : error
}
