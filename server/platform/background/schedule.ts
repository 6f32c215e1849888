import type { Logger } from 'pino'
import { isNodeRunning } from '../database/running-nodes.ts'
import type { PlatformContext } from '../platform-context.ts'
import { seconds } from '../time/clock.ts'
import { createFailureLog, isOutage } from './failure-log.ts'

const outageRetryMs = seconds(10)

/** Runs `work` now and at each interval, never twice at once. Logs failures; retries within 10 seconds in an outage. */
export function repeat(log: Logger, name: string, intervalMs: number, work: () => Promise<void>) {
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

export type JobRunTable = { name: string; node: string; begun_at: number }

declare module '../database/tables.ts' {
  interface Tables {
    job_runs: JobRunTable
  }
}

/**
 * Like `repeat`, but on one node at a time. Skips a run when another running node has completed a run that began within
 * the interval.
 */
export function repeatOnOneNode(
  ctx: Pick<PlatformContext, 'database' | 'db' | 'clock' | 'log'>,
  name: string,
  intervalMs: number,
  work: () => Promise<void>,
) {
  const { database, log } = ctx
  if (database.kind === 'sqlite') return repeat(log, name, intervalMs, work)
  return repeat(log, name, intervalMs, async () => {
    await database.runExclusively(name, async () => {
      if (await hasRunElsewhere(ctx, name, intervalMs)) return
      const begunAt = ctx.clock.now()
      await work()
      await recordRun(ctx, name, begunAt)
    })
  })
}

async function hasRunElsewhere(
  { database, db, clock }: Pick<PlatformContext, 'database' | 'db' | 'clock'>,
  name: string,
  intervalMs: number,
): Promise<boolean> {
  const run = await db
    .selectFrom('job_runs')
    .select('name')
    .where('name', '=', name)
    .where('node', '!=', database.node)
    .where('begun_at', '>', clock.now() - intervalMs)
    .where(isNodeRunning('node'))
    .executeTakeFirst()
  return run !== undefined
}

async function recordRun({ database, db }: Pick<PlatformContext, 'database' | 'db'>, name: string, begunAt: number) {
  const run = { node: database.node, begun_at: begunAt }
  await db
    .insertInto('job_runs')
    .values({ name, ...run })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(run))
    .execute()
}
