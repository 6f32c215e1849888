import { ProofroomError } from './problem.ts'

/**
 * What may be repeated: any call that has the same effect when it arrives twice (`always`), or only what the service
 * rejected before it did anything (`rejected`).
 */
export type Repeat = 'always' | 'rejected'

export type RetryPolicy = { retries: number; maxWaitSeconds: number; repeat: Repeat; signal?: AbortSignal | undefined }

/** Returns the result of the first attempt that succeeds. Throws the error of the last attempt, and every other error at once. */
export async function withRetries<T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      policy.signal?.throwIfAborted()
      if (count >= policy.retries || !(error instanceof ProofroomError) || !isTemporary(error, policy.repeat))
        throw error
      const waitSeconds = error.retryAfterSeconds ?? backoffSeconds(count)
      if (waitSeconds > policy.maxWaitSeconds) throw error
      await pause(waitSeconds * 1000, policy.signal)
    }
  }
}

/** `NOT_IMPLEMENTED` and `STORAGE_FULL` do not pass by themselves. */
const lasting = [501, 507]

function isTemporary({ status, code }: ProofroomError, repeat: Repeat): boolean {
  if (repeat === 'rejected') return status === 429 || status === 503
  if (status === 409) return code === 'IDEMPOTENCY_IN_PROGRESS'
  return status === 0 || status === 408 || status === 429 || (status >= 500 && !lasting.includes(status))
}

/** Half a second, doubled each time, up to 8 seconds, and up to a half shorter so that clients do not return together. */
const backoffSeconds = (count: number): number => Math.min(8, 0.5 * 2 ** count) * (1 - Math.random() / 2)

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
