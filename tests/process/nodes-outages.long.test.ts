import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { clusterForFile } from '../support/cluster.ts'
import { createEvent } from '../support/events.ts'
import { type Load, startLoad } from '../support/load.ts'
import type { NotedAnswer } from '../support/noted-answers.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import type { TcpProxy } from '../support/tcp-proxy.ts'

const { nodes, whole } = await clusterForFile()

/** From the beginning of an outage until every node tells of it. */
const noticedMs = 4_000
/** From its end until all is as before. */
const recoveredMs = 5_000
const watchedMs = 3_000
/** Nobody waits for longer, not even for what is silent. */
const patienceMs = 27_000
const everything = ['upload', 'mark', 'gallery', 'thumbnail', 'original', 'info', 'list', 'grid', 'download']

let load: Load
beforeAll(async () => {
  load = await startLoad(nodes, await createEvent(whole.api))
  // A load before the first outage.
  await sleep(2_000)
}, 30_000)

/** Longer for the database, so that those who wait for what is silent are told before it is back. */
const outages = [
  {
    of: 'database' as const,
    forMs: 27_000,
    failing: everything.filter((what) => what !== 'thumbnail'),
    served: [] as string[],
  },
  {
    of: 'store' as const,
    forMs: 20_000,
    failing: ['upload', 'original', 'download'],
    served: ['mark', 'gallery', 'info', 'list', 'grid'],
  },
].filter((outage) => nodes.every((node) => node[outage.of] !== null))

describe.each(outages)('while nothing reaches the $of', ({ of, forMs, failing, served }) => {
  let answers: NotedAnswer[]
  let during: NotedAnswer[]
  let after: NotedAnswer[]

  // The way of the one node is cut, that of the other is silent: it is not told that nothing comes through.
  beforeAll(async () => {
    const earlier = load.answers.length
    const [cut, silent] = nodes.map((node) => node[of] as TcpProxy)
    const from = performance.now()
    cut?.cut()
    silent?.stall()
    // The length of the outage, and of the watch after it.
    await sleep(forMs)
    for (const way of [cut, silent]) way?.open()
    const to = performance.now()
    await sleep(recoveredMs + watchedMs)
    answers = load.answers.slice(earlier)
    during = answers.filter(({ askedAt, tookMs }) => askedAt > from + 500 && askedAt + tookMs < to)
    after = answers.filter(({ askedAt }) => askedAt > to + recoveredMs)
  }, 60_000)

  test('whoever needs it is told 503 with Retry-After, and nobody anything worse', () => {
    const needing = during.filter(({ what }) => failing.includes(what))
    for (const { url } of nodes) expect(needing.filter((answer) => answer.url === url).length).toBeGreaterThan(3)
    expect(needing.filter(({ status }) => status !== 503)).toEqual([])
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.filter(({ retryAfter, code }) => !(Number(retryAfter) > 0) || code !== 'UNAVAILABLE')).toEqual([])
    const isKnown = ({ status, code }: NotedAnswer) =>
      [200, 201, 503].includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS'
    // A body that was on its way when the connection was cut has no other end.
    const isBroken = ({ status, what }: NotedAnswer) =>
      status === 0 && ['original', 'download', 'thumbnail'].includes(what)
    expect(answers.filter((answer) => !isKnown(answer) && !isBroken(answer))).toEqual([])
  })

  test('nobody waits without end, and whoever does not need it waits no longer than ever', () => {
    expect(answers.filter(({ tookMs }) => tookMs > patienceMs)).toEqual([])
    const others = during.filter(({ what }) => served.includes(what))
    expect(others.filter(({ status, tookMs }) => status !== 200 || tookMs > 3_000)).toEqual([])
  })

  test('/health of each node tells of it, and the process lives', () => {
    const from = during[0]?.askedAt ?? 0
    for (const { url } of nodes) {
      const told = during.filter(({ what, askedAt }) => what === 'health' && askedAt > from + noticedMs)
      const statuses = told.filter((answer) => answer.url === url).map(({ status }) => status)
      expect([statuses.length > 2, [...new Set(statuses)]]).toEqual([true, [503]])
    }
    expect(answers.filter(({ what, status }) => what === 'live' && status !== 200)).toEqual([])
  })

  test('all is as before a few seconds later', () => {
    expect(after.filter(({ status }) => status > 201 || status === 0)).toEqual([])
    for (const { url } of nodes) {
      const done = new Set(after.filter((answer) => answer.url === url).map(({ what }) => what))
      // Files in chunks take their time: not each node need have been asked for one by now.
      expect([...done]).toEqual(expect.arrayContaining([...everything, 'health', 'live']))
    }
  })
})

test('nothing that was answered as done is lost, and no photo is there twice', async () => {
  await load.stop(20_000)
  expect(load.files.filter(({ id }) => id === null)).toEqual([])
  for (const node of nodes) await expectNothingLost(load, node)
}, 60_000)
