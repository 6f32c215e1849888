import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createAppContext } from '../../create-app-context.ts'
import { readConfig } from '../configuration/config.ts'
import type { PlatformContext } from '../platform-context.ts'
import { hours } from '../time/clock.ts'
import { repeatOnOneNode } from './schedule.ts'

async function nodesOnOneDatabase(count: number): Promise<PlatformContext[]> {
  const first = await contextForTest()
  const environment = { DATABASE_URL: first.config.databaseUrl ?? '' }
  const others = Array.from({ length: count - 1 }, () => contextForTest({ environment }))
  return [first, ...(await Promise.all(others))]
}

test('of nodes that start together one runs a job in an interval, and another one if the job fails', async () => {
  const nodes = await nodesOnOneDatabase(2)
  let runs = 0
  const jobs = nodes.map((node) => repeatOnOneNode(node, 'count', hours(1), async () => void runs++))
  for (const job of jobs) await job.stop()
  expect(runs).toBe(1)
  const [failing, working] = nodes.map(
    (node, index) => () =>
      repeatOnOneNode(node, 'fail', hours(1), async () => {
        if (index === 0) throw new Error('no')
        runs++
      }).stop(),
  )
  await failing?.()
  await working?.()
  expect(runs).toBe(2)
})

test('a job runs again after each interval, never on two nodes at a time', { tags: 'nightly' }, async () => {
  const nodes = await nodesOnOneDatabase(2)
  let runs = 0
  let atWork = 0
  let most = 0
  const work = async () => {
    runs++
    most = Math.max(most, ++atWork)
    // Long enough for the other node to try to run the job.
    await sleep(100)
    atWork--
  }
  const jobs = nodes.map((node) => repeatOnOneNode(node, 'count', 400, work))
  await expect.poll(() => runs).toBeGreaterThanOrEqual(4)
  for (const job of jobs) await job.stop()
  expect(most).toBe(1)
})

test('a job of a node that has ended is repeated by the next node', { tags: 'nightly' }, async () => {
  const [survivor] = await nodesOnOneDatabase(1)
  if (!survivor) throw new Error('There is a node')
  const config = readConfig({ DATA_DIR: survivor.config.dataDir, DATABASE_URL: survivor.config.databaseUrl ?? '' })
  const gone = await createAppContext(config, pino({ level: 'silent' }))
  onTestFinished(() => gone.close().catch(() => undefined))
  const done: string[] = []
  const before = repeatOnOneNode(gone.ctx, 'count', hours(1), async () => void done.push('gone'))
  await before.stop()
  const duringRun = repeatOnOneNode(survivor, 'count', hours(1), async () => void done.push('survivor'))
  await duringRun.stop()
  expect(done).toEqual(['gone'])
  await gone.close()
  const runAgain = async () => {
    await repeatOnOneNode(survivor, 'count', hours(1), async () => void done.push('survivor')).stop()
    return done
  }
  await expect.poll(runAgain).toEqual(['gone', 'survivor'])
})
