/** What is wrong with a field: what it must be, in English, and for most the same as a kind with its limit. */
export type Fault = { path: string; message: string; kind?: string; limit?: number }

/** What the service did not do, and why. */
export class ApiError extends Error {
  readonly status: number
  /** Stable, such as `SLUG_TAKEN`; null where something before the service has answered. */
  readonly code: string | null
  /** Which fields, where it is about fields. */
  readonly details: Fault[]
  readonly retryAfterSeconds: number | null

  constructor(response: Response, body: unknown) {
    const problem = isRecord(body) ? body : {}
    super(typeof problem.error === 'string' ? problem.error : `${response.status} ${response.statusText}`)
    this.name = 'ApiError'
    this.status = response.status
    this.code = typeof problem.code === 'string' ? problem.code : null
    this.details = Array.isArray(problem.details) ? problem.details.filter(isDetail) : []
    const wait = Number(response.headers.get('retry-after'))
    this.retryAfterSeconds = wait > 0 ? wait : null
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isDetail = (value: unknown): value is Fault => isRecord(value) && typeof value.path === 'string'
