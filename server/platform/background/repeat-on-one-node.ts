import { isNodeRunning } from '../database/running-nodes.ts'
import type { PlatformContext } from '../platform-context.ts'
import { repeat } from './schedule.ts'

export type JobRunTable = { name: string; node: string; begun_at: number }

declare module '../database/tables.ts' {
  interface Tables {
    job_runs: JobRunTable
  }
}

/**
 * Like `repeat`, but once for the whole instance: never on two nodes at a time, and not within the interval after a run
 * of another node that is still running.
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
