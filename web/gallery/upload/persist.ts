import { Refused, Unreachable } from '../state/api.ts'
import { Paused } from './post-bytes.ts'
import type { UploadLine } from './upload-line.ts'
import { type UploadProblem, type Verdict, verdictOn } from './upload-verdicts.ts'

/** A file did not become a photo, now or for good. */
export class GivenUp extends Error {
  readonly verdict: Exclude<Verdict, { kind: 'again' }>
  constructor(verdict: Exclude<Verdict, { kind: 'again' }>) {
    super()
    this.verdict = verdict
  }
}

export type Persistence = {
  line: UploadLine
  cancelled: AbortSignal
  /** Told when something has to wait, and why; null when something has worked. */
  onTrouble: (trouble: 'line' | 'service' | null) => void
}

/**
 * Does a deed that may be done again, until it has worked: after waits that grow, and not while the line is paused or
 * held. Throws GivenUp, and the reason of `cancelled`.
 */
export async function persist<T>({ line, cancelled, onTrouble }: Persistence, deed: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; ) {
    const leave = await line.enter(cancelled)
    let waitMs = 0
    try {
      const done = await deed()
      onTrouble(null)
      return done
    } catch (error) {
      cancelled.throwIfAborted()
      if (!(error instanceof Paused)) {
        const problem = problemIn(error)
        const verdict = verdictOn(problem, attempt++)
        if (verdict.kind !== 'again') throw new GivenUp(verdict)
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

/** Throws what is no problem of the way or of the service. */
function problemIn(error: unknown): UploadProblem {
  if (error instanceof Refused) return error
  const isTimeOut = error instanceof DOMException && error.name === 'TimeoutError'
  if (error instanceof Unreachable || isTimeOut) return null
  throw error
}
