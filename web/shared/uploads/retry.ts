import { decideRetry, type RetryDecision, type UploadProblem } from './retry-decision.ts'
import type { UploadScheduler } from './upload-scheduler.ts'

type FinalDecision = Exclude<RetryDecision, { kind: 'again' }>

/** An upload failed, temporarily or permanently. */
export class UploadFailed extends Error {
  readonly decision: FinalDecision
  /** The error response, or null when there was none. */
  readonly problem: UploadProblem
  constructor(decision: FinalDecision, problem: UploadProblem = null, cause?: unknown) {
    super(undefined, { cause })
    this.decision = decision
    this.problem = problem
  }
}

/** No response arrived. */
export class NoResponse extends Error {}

/** Paused before all bytes were sent. */
export class Paused extends Error {}

export type RetryOptions = {
  scheduler: UploadScheduler
  cancelled: AbortSignal
  /** Converts an error into a problem of the connection (null) or of the service. Throws any other error. */
  toUploadProblem: (error: unknown) => UploadProblem
  /** Called when an upload has to wait: `line` without a response, `service` after an error. Null after a success. */
  onTrouble: (trouble: 'line' | 'service' | null) => void
}

/**
 * Repeats an idempotent action with growing waits. Throws UploadFailed, the reason of `cancelled`, or an error that
 * `toUploadProblem` throws.
 */
export async function retryUntilDone<T>(
  { scheduler, cancelled, toUploadProblem, onTrouble }: RetryOptions,
  action: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; ) {
    const leave = await scheduler.enter(cancelled)
    let waitMs = 0
    try {
      const done = await action()
      onTrouble(null)
      return done
    } catch (error) {
      cancelled.throwIfAborted()
      if (!(error instanceof Paused)) {
        const problem = isNoResponse(error) ? null : toUploadProblem(error)
        const decision = decideRetry(problem, attempt++)
        if (decision.kind !== 'again') throw new UploadFailed(decision, problem, error)
        if (decision.holdsAll) scheduler.hold(decision.afterMs)
        else waitMs = decision.afterMs
        onTrouble(problem === null ? 'line' : 'service')
      }
    } finally {
      leave()
    }
    if (waitMs > 0) await scheduler.wait(waitMs, cancelled)
  }
}

const isNoResponse = (error: unknown): boolean =>
  error instanceof NoResponse || (error instanceof DOMException && error.name === 'TimeoutError')
