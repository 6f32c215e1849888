import type { FastifyBaseLogger } from 'fastify'

/** Runs work at once and then in every interval, never twice at a time. A failure is logged and tried again. */
export function repeat(log: FastifyBaseLogger, name: string, intervalMs: number, work: () => Promise<void>) {
  let underWay: Promise<void> | null = null

  const run = () => {
    underWay ??= work()
      .catch((err) => log.error({ err, job: name }, 'A background job failed'))
      .finally(() => {
        underWay = null
      })
  }
  run()
  const timer = setInterval(run, intervalMs)
  timer.unref()

  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await underWay
    },
  }
}
