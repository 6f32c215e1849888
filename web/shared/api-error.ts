/** The validation error of a field. `message` is English; `kind` and `limit` select a translation. */
export type FieldError = { path: string; message: string; kind?: string; limit?: number }

export class ApiError extends Error {
  readonly status: number
  /** The problem code, such as `SLUG_TAKEN`; empty if the body has none, as in an error page of a proxy. */
  readonly code: string
  readonly details: readonly FieldError[]
  /** 0 if the response has no such header. */
  readonly retryAfterSeconds: number

  constructor(status: number, body: unknown, retryAfter: string | number | null = 0) {
    const { error, code, details } = (body ?? {}) as Record<string, unknown>
    super(typeof error === 'string' ? error : `HTTP ${status}`)
    this.status = status
    this.code = typeof code === 'string' ? code : ''
    this.details = Array.isArray(details) ? details.filter((detail) => typeof detail?.path === 'string') : []
    this.retryAfterSeconds = Number(retryAfter) || 0
  }

  /** Paths of the invalid fields of the request. */
  get paths(): string[] {
    return this.details.map(({ path }) => path)
  }

  get kinds(): string[] {
    return this.details.flatMap(({ kind }) => kind ?? [])
  }
}

/** A request got no response, or the service could not renew the session. */
export class Unreachable extends Error {}
