import type { UploadLine } from './upload-line.ts'
import { type UploadProblem, type Verdict, verdictOn } from './upload-verdicts.ts'

type LastVerdict = Exclude<Verdict, { kind: 'again' }>

/** An upload failed, temporarily or permanently. */
export class GivenUp extends Error {
  readonly verdict: LastVerdict
  /** The error response; null when there was none. */
  readonly problem: UploadProblem
  constructor(verdict: LastVerdict, problem: UploadProblem = null, cause?: unknown) {
    super(undefined, { cause })
    this.verdict = verdict
    this.problem = problem
  }
}

/** No response arrived. */
export class NoAnswer extends Error {}

/** Paused before all bytes were sent. */
export class Paused extends Error {}

export type Persistence = {
  line: UploadLine
  cancelled: AbortSignal
  /** Converts an error into a problem of the connection (null) or of the service. Throws any other error. */
  problemIn: (error: unknown) => UploadProblem
  /** Called with the reason when an upload has to wait, and with null after a success. */
  onTrouble: (trouble: 'line' | 'service' | null) => void
}

/** Repeats an idempotent action with growing waits. Throws UploadFailed and the reason of `cancelled`. */
export async function persist<T>(
  { line, cancelled, problemIn, onTrouble }: Persistence,
  action: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; ) {
    const leave = await line.enter(cancelled)
    let waitMs = 0
    try {
      const done = await action()
      onTrouble(null)
      return done
    } catch (error) {
      cancelled.throwIfAborted()
      if (!(error instanceof Paused)) {
        const problem = isNoAnswer(error) ? null : problemIn(error)
        const verdict = verdictOn(problem, attempt++)
        if (verdict.kind !== 'again') throw new GivenUp(verdict, problem, error)
        if (verdict.holdsAll) line.hold(verdict.afterMs)
        else waitMs = verdict.afterMs
        onTrouble(problem === null ? 'line' : 'service')
      }
    } finally {
      leave()
    }
    if (waitMs > 0) await line.wait(waitMs, cancelled)
  }
}

const isNoAnswer = (error: unknown): boolean =>
  error instanceof NoAnswer || (error instanceof DOMException && error.name === 'TimeoutError')
