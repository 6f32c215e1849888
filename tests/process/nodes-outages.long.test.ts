import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { clusterForFile } from '../support/cluster.ts'
import { createEvent } from '../support/events.ts'
import { type Load, startLoad } from '../support/load.ts'
import type { NotedAnswer } from '../support/noted-answers.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import type { TcpProxy } from '../support/tcp-proxy.ts'

const { nodes, whole } = await clusterForFile()

/** Time until every node reports an outage. */
const noticedMs = 4_000
/** Time after an outage until everything works again. */
const recoveredMs = 5_000
const watchedMs = 3_000
/** Maximum time of a request, even when its back end does not respond. */
const patienceMs = 27_000
const everything = ['upload', 'mark', 'gallery', 'thumbnail', 'original', 'info', 'list', 'grid', 'download']

let load: Load
beforeAll(async () => {
  load = await startLoad(nodes, await createEvent(whole.api))
  // Load before the first outage.
  await sleep(2_000)
}, 30_000)

/** The database outage is longer, so that waiting requests fail before it ends. */
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

describe.each(outages)('while the $of is unreachable', ({ of, forMs, failing, served }) => {
  let answers: NotedAnswer[]
  let during: NotedAnswer[]
  let after: NotedAnswer[]

  // The connections of one node are cut. Those of the other stall but stay open.
  beforeAll(async () => {
    const earlier = load.answers.length
    const [cut, silent] = nodes.map((node) => node[of] as TcpProxy)
    const from = performance.now()
    cut?.cut()
    silent?.stall()
    // The length of the outage, and of the observation after it.
    await sleep(forMs)
    for (const way of [cut, silent]) way?.open()
    const to = performance.now()
    await sleep(recoveredMs + watchedMs)
    answers = load.answers.slice(earlier)
    during = answers.filter(({ askedAt, tookMs }) => askedAt > from + 500 && askedAt + tookMs < to)
    after = answers.filter(({ askedAt }) => askedAt > to + recoveredMs)
  }, 60_000)

  test('requests that need it get 503 with Retry-After, and no request gets anything worse', () => {
    const needing = during.filter(({ what }) => failing.includes(what))
    for (const { url } of nodes) expect(needing.filter((answer) => answer.url === url).length).toBeGreaterThan(3)
    expect(needing.filter(({ status }) => status !== 503)).toEqual([])
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.filter(({ retryAfter, code }) => !(Number(retryAfter) > 0) || code !== 'UNAVAILABLE')).toEqual([])
    const isKnown = ({ status, code }: NotedAnswer) =>
      [200, 201, 503].includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS'
    // A response body can only break off when its connection is cut.
    const isBroken = ({ status, what }: NotedAnswer) =>
      status === 0 && ['original', 'download', 'thumbnail'].includes(what)
    expect(answers.filter((answer) => !isKnown(answer) && !isBroken(answer))).toEqual([])
  })

  test('no request waits too long, and requests that do not need it stay fast', () => {
    expect(answers.filter(({ tookMs }) => tookMs > patienceMs)).toEqual([])
    const others = during.filter(({ what }) => served.includes(what))
    expect(others.filter(({ status, tookMs }) => status !== 200 || tookMs > 3_000)).toEqual([])
  })

  test('/health of each node reports it, and the process stays alive', () => {
    const from = during[0]?.askedAt ?? 0
    for (const { url } of nodes) {
      const told = during.filter(({ what, askedAt }) => what === 'health' && askedAt > from + noticedMs)
      const statuses = told.filter((answer) => answer.url === url).map(({ status }) => status)
      expect([statuses.length > 2, [...new Set(statuses)]]).toEqual([true, [503]])
    }
    expect(answers.filter(({ what, status }) => what === 'live' && status !== 200)).toEqual([])
  })

  test('everything works again a few seconds later', () => {
    expect(after.filter(({ status }) => status > 201 || status === 0)).toEqual([])
    for (const { url } of nodes) {
      const done = new Set(after.filter((answer) => answer.url === url).map(({ what }) => what))
      // Chunked uploads are slow, so a node may not have got one yet.
      expect([...done]).toEqual(expect.arrayContaining([...everything, 'health', 'live']))
    }
  })
})

test('nothing that was confirmed is lost, and no photo exists twice', async () => {
  await load.stop(20_000)
  expect(load.files.filter(({ id }) => id === null)).toEqual([])
  for (const node of nodes) await expectNothingLost(load, node)
}, 60_000)
