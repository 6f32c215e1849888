import { type FaultKind, type ProblemCode, type ProblemDetail, problems } from '../../../contract/problems.ts'

export type AppErrorOptions = {
  /** Replaces the default text of the problem code. Must not contain submitted values. */
  text?: string
  details?: ProblemDetail[]
  retryAfterSeconds?: number
  /** For routes where the contract defines another status for the problem code. */
  status?: 400
  /** Additional keys of the response body, as the contract defines them for the problem code. */
  body?: Record<string, unknown>
}

/** An expected failure. The operation that throws it must not have changed anything permanently. */
export class AppError extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly extras: AppErrorOptions

  constructor(code: ProblemCode, extras: AppErrorOptions = {}) {
    super(extras.text ?? problems[code].text)
    this.name = 'AppError'
    this.code = code
    this.status = extras.status ?? problems[code].status
    this.extras = extras
  }
}

/** Returns a 400 error for one field. A `message` that starts with a verb such as `must` gets `path` as its subject. */
export const invalidField = (path: string, message: string, kind?: FaultKind): AppError =>
  new AppError('VALIDATION_ERROR', {
    text: /^(must|may|is|can|contradicts) /.test(message) ? `${path} ${message}.` : message,
    details: [{ path, message, ...(kind && { kind }) }],
  })

/** Thrown when a request does not match the schema of its route. */
export class ValidationProblem extends Error {
  readonly details: ProblemDetail[]
  constructor(details: ProblemDetail[]) {
    super('validation')
    this.details = details
  }
}
