/** The validation error of a field. `message` is English; `kind` and `limit` select a translation. */
export type FieldError = { path: string; message: string; kind?: string; limit?: number }

export class ApiError extends Error {
  readonly status: number
  /** The problem code, such as `SLUG_TAKEN`; null if the body has none, as in an error page of a proxy. */
  readonly code: string | null
  readonly details: FieldError[]
  readonly retryAfterSeconds: number | null

  constructor(response: Response, body: unknown) {
    const problem = isRecord(body) ? body : {}
    super(typeof problem.error === 'string' ? problem.error : `${response.status} ${response.statusText}`)
    this.name = 'ApiError'
    this.status = response.status
    this.code = typeof problem.code === 'string' ? problem.code : null
    this.details = Array.isArray(problem.details) ? problem.details.filter(isFieldError) : []
    const retryAfter = Number(response.headers.get('retry-after'))
    this.retryAfterSeconds = retryAfter > 0 ? retryAfter : null
  }
}

/** A request got no response, or the service could not renew the session. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isFieldError = (value: unknown): value is FieldError => isRecord(value) && typeof value.path === 'string'
