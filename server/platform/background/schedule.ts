import { seconds } from '../clock.ts'
import type { Log } from '../log.ts'
import { createFailureLog, isOutage } from './failure-log.ts'

const outageRetryMs = seconds(10)

/**
 * Runs `work` immediately and then at each interval, never twice at a time. Failures are logged; after an outage it
 * retries early.
 */
export function repeat(log: Log, name: string, intervalMs: number, work: () => Promise<void>) {
  const failures = createFailureLog(log, 'A background job failed', { job: name })
  let currentRun: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  const run = () => {
    currentRun ??= work()
      .then(failures.succeeded, (error) => {
        failures.failed(error)
        const isEarlyRetry = isOutage(error) && intervalMs > outageRetryMs && !isStopped
        if (isEarlyRetry) retry = setTimeout(run, outageRetryMs).unref()
      })
      .finally(() => {
        currentRun = null
      })
  }
  run()
  const timer = setInterval(run, intervalMs)
  timer.unref()

  return {
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(timer)
      clearTimeout(retry)
      await currentRun
    },
  }
}
