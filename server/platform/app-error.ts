import { type FaultKind, type ProblemCode, type ProblemDetail, problems } from '../../contract/problems.ts'

export type AppErrorOptions = {
  /** Replaces the sentence of the code where a more helpful one exists. Never holds submitted values. */
  text?: string
  details?: ProblemDetail[]
  /** Seconds; sent as `Retry-After`. */
  retryAfterSeconds?: number
  /** Where the contract gives the code another status than its own. */
  status?: 400
  /** Further keys of the body, as the contract names them for this code. */
  body?: Record<string, unknown>
}

/** An expected "no". Whoever throws it promises that nothing lasting has happened. */
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

/** A 400 that names the one field at fault. A message without a subject is told of the field. */
export const invalidField = (path: string, message: string, kind?: FaultKind): AppError =>
  new AppError('VALIDATION_ERROR', {
    text: /^(must|may|is|can|contradicts) /.test(message) ? `${path} ${message}.` : message,
    details: [{ path, message, ...(kind && { kind }) }],
  })
