import type { ProblemDetail } from '../../contract/problems.ts'

/** A request does not match the schema of its route. */
export class ValidationProblem extends Error {
  readonly details: ProblemDetail[]
  constructor(details: ProblemDetail[]) {
    super('validation')
    this.details = details
  }
}
