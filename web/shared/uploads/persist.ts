import type { UploadLine } from './upload-line.ts'
import { type UploadProblem, type Verdict, verdictOn } from './upload-verdicts.ts'

type LastVerdict = Exclude<Verdict, { kind: 'again' }>

/** A file did not become a photo, now or for good; `cause` is the error that said so, where one did. */
export class GivenUp extends Error {
  readonly verdict: LastVerdict
  /** What the answer was; null where it was none. */
  readonly problem: UploadProblem
  constructor(verdict: LastVerdict, problem: UploadProblem = null, cause?: unknown) {
    super(undefined, { cause })
    this.verdict = verdict
    this.problem = problem
  }
}

/** No answer came. */
export class NoAnswer extends Error {}

/** Paused before all bytes were out. */
export class Paused extends Error {}

export type Persistence = {
  line: UploadLine
  cancelled: AbortSignal
  /** What an error says of the way (null: no answer came) or of the service. Throws on what is neither. */
  problemIn: (error: unknown) => UploadProblem
  /** Told when something has to wait, and why; null when something has worked. */
  onTrouble: (trouble: 'line' | 'service' | null) => void
}

/**
 * Does an action that may be done again, until it has worked: after waits that grow, and not while the line is paused or
 * held. Throws GivenUp, and the reason of `cancelled`.
 */
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
