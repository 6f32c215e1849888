import { type RetryOptions, UploadFailed } from './retry.ts'
import type { UploadReason } from './upload-file-rules.ts'
import { UploadScheduler } from './upload-scheduler.ts'
import { Speedometer } from './upload-speed.ts'

/** Why uploads wait: no response, or an error of the service. */
export type Trouble = 'line' | 'service' | null

type EngineOptions = Pick<RetryOptions, 'toUploadProblem'> & {
  /** The most concurrent requests. */
  maxRequests: number
  onTrouble: (trouble: Trouble) => void
  onSpeed: (bytesPerSecond: number | null) => void
}

/** `finishing`: all bytes are sent. */
type Progress = { sentBytes: number; state: 'sending' | 'finishing' }

/** What the uploads of both apps have in common: limits, pauses, repetitions and the speed. Each app keeps its own list of files. */
export function createUploadEngine({ maxRequests, toUploadProblem, onTrouble, onSpeed }: EngineOptions) {
  const scheduler = new UploadScheduler(maxRequests)
  const speedometer = new Speedometer()
  let trouble: Trouble = null
  let movedBytes = 0

  addEventListener('online', () => scheduler.endWaits())

  return {
    scheduler,

    retryOptions: {
      scheduler,
      toUploadProblem,
      onTrouble(now: Trouble) {
        // While the scheduler holds new requests, the success of a running request does not end the trouble.
        if (now === trouble || (now === null && scheduler.isHeld)) return
        if (trouble === null) speedometer.restart()
        trouble = now
        onTrouble(now)
        // After one success, all requests that wait for a retry are sent immediately.
        if (now === null) scheduler.endWaits()
      },
    },

    resume(): void {
      speedometer.restart()
      scheduler.resume()
    },

    /** Returns the function that gets the sent bytes of one file. */
    trackProgress(size: number, change: (progress: Progress) => void): (sentBytes: number) => void {
      let before = 0
      return (sentBytes) => {
        movedBytes += Math.max(0, sentBytes - before)
        before = sentBytes
        speedometer.addSample(movedBytes, performance.now())
        change({ sentBytes, state: sentBytes === size ? 'finishing' : 'sending' })
        onSpeed(speedometer.bytesPerSecond(performance.now()))
      }
    },
  }
}

export type UploadFailure = { state: 'failed' | 'rejected'; reason: UploadReason; endsAll: boolean }

/** Reports an unexpected error, which must not stop the other files. */
export function toUploadFailure(error: unknown): UploadFailure {
  if (error instanceof UploadFailed) {
    const { kind, reason } = error.decision
    return { state: kind, reason, endsAll: kind === 'failed' && error.decision.endsAll }
  }
  reportError(error)
  return { state: 'failed', reason: 'other', endsAll: false }
}
