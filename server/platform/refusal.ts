import { type FaultKind, type ProblemCode, type ProblemDetail, problems } from '../../contract/problems.ts'

export type RefusalExtras = {
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
export class Refusal extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly extras: RefusalExtras

  constructor(code: ProblemCode, extras: RefusalExtras = {}) {
    super(extras.text ?? problems[code].text)
    this.name = 'Refusal'
    this.code = code
    this.status = extras.status ?? problems[code].status
    this.extras = extras
  }
}

/** A 400 that names the one field at fault. A message without a subject is told of the field. */
export const invalidField = (path: string, message: string, kind?: FaultKind): Refusal =>
  new Refusal('VALIDATION_ERROR', {
    text: /^(must|may|is|can|contradicts) /.test(message) ? `${path} ${message}.` : message,
    details: [{ path, message, ...(kind && { kind }) }],
  })
