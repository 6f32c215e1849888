export type ProblemDetail = { path: string; message: string; kind?: string; limit?: number }

/** The body of an error response. Some codes have more keys, such as `missing` of `MISSING_CHUNKS`. */
export type ProblemBody = { error: string; code: string; details?: ProblemDetail[]; missing?: number[] }

type Origin = { status: number; requestId: string | null; retryAfterSeconds: number | null; cause?: unknown }

/** A request that was rejected, or that did not reach the service. */
export class ProofroomError extends Error {
  /**
   * The stable code of the service, `NETWORK_ERROR`, or `UNEXPECTED_RESPONSE` if something else responds, such as a
   * proxy.
   */
  readonly code: string
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  readonly details: ProblemDetail[]
  /** Include it when you ask for help. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly body: ProblemBody

  constructor(body: ProblemBody, { status, requestId, retryAfterSeconds, cause }: Origin) {
    super(body.error, cause === undefined ? undefined : { cause })
    this.name = 'ProofroomError'
    this.code = body.code
    this.status = status
    this.details = body.details ?? []
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.body = body
  }
}

export function networkError(url: string, cause: unknown): ProofroomError {
  const { cause: inner, message } = cause as { cause?: { code?: string }; message?: string }
  const body = {
    error: `Cannot reach the service at ${url} (${inner?.code ?? message ?? 'no response'}).`,
    code: 'NETWORK_ERROR',
  }
  return new ProofroomError(body, { status: 0, requestId: null, retryAfterSeconds: null, cause })
}

/** `body` is parsed JSON or text. */
export function toProblem(response: Response, body: unknown): ProofroomError {
  const { status, headers } = response
  const requestId = headers.get('x-request-id')
  const origin = { status, requestId, retryAfterSeconds: parseRetryAfter(headers.get('retry-after')) }
  const { error, code } = (body ?? {}) as Partial<ProblemBody>
  if (typeof error === 'string' && typeof code === 'string') return new ProofroomError(body as ProblemBody, origin)
  return unexpectedResponse(response, `has the status ${status} and is not one of Proofroom`)
}

/** `problem` ends the sentence that begins with: The response. */
export function unexpectedResponse({ status, headers }: Response, problem: string): ProofroomError {
  const origin = { status, requestId: headers.get('x-request-id') }
  const retryAfterSeconds = parseRetryAfter(headers.get('retry-after'))
  const body = { error: `The response ${problem}.`, code: 'UNEXPECTED_RESPONSE' }
  return new ProofroomError(body, { ...origin, retryAfterSeconds })
}

/** Accepts seconds and dates. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}
