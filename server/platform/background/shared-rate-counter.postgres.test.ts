import { expect, test } from 'vitest'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import { minutes } from '../time/clock.ts'
import { createSharedRateCounter, pruneRateCounts } from './shared-rate-counter.ts'

async function twoNodes() {
  const clock = createMovableClock()
  const first = await contextForTest({ edges: { clock } })
  const environment = { DATABASE_URL: first.config.databaseUrl ?? '' }
  return { clock, nodes: [first, await contextForTest({ edges: { clock }, environment })] }
}

test('concurrent counts of several nodes are all counted', async () => {
  const { nodes } = await twoNodes()
  const counters = nodes.map((node) => createSharedRateCounter(node, 'knocks', minutes(1)))
  const adds = Array.from({ length: 40 }, (_, index) => counters[index % 2]?.add('a'))
  const counts = (await Promise.all(adds)).map((counted) => counted?.count ?? 0)
  expect(counts.sort((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  for (const { readCount } of counters) expect((await readCount('a')).count).toBe(40)
})

test('a window starts with its first count and ends after its length', { tags: 'nightly' }, async () => {
  const { nodes, clock } = await twoNodes()
  const [one, other] = nodes.map((node) => createSharedRateCounter(node, 'knocks', minutes(1)))
  const begun = await one?.add('a')
  clock.advance(minutes(1) - 1_000)
  expect(await other?.add('a')).toEqual({ count: 2, endsAt: begun?.endsAt })
  clock.advance(1_000)
  expect((await other?.readCount('a'))?.count).toBe(0)
  const next = await one?.add('a')
  expect(next?.count).toBe(1)
  expect(next?.endsAt).toBeGreaterThanOrEqual((begun?.endsAt ?? 0) + minutes(1))
})

test('counters and keys are independent, reading does not change a count, and windows that are over are deleted', {
  tags: 'nightly',
}, async () => {
  const { nodes, clock } = await twoNodes()
  const [one, other] = nodes.map((node, index) => createSharedRateCounter(node, `counter ${index}`, minutes(1)))
  await one?.add('a')
  await one?.readCount('a')
  expect((await one?.readCount('a'))?.count).toBe(1)
  expect((await one?.readCount('b'))?.count).toBe(0)
  expect((await other?.readCount('a'))?.count).toBe(0)
  const [node] = nodes
  if (!node) throw new Error('There is a node')
  clock.advance(minutes(1))
  await one?.add('b')
  await pruneRateCounts(node)
  const rows = await node.db.selectFrom('rate_counts').select('key').execute()
  expect(rows).toEqual([{ key: 'counter 0 b' }])
})
