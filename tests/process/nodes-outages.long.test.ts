import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEvent } from '../support/fixtures/events.ts'
import type { TcpProxy } from '../support/network/tcp-proxy.ts'
import { clusterForFile } from '../support/nodes/cluster.ts'
import { expectNothingLost } from '../support/nodes/expect-nothing-lost.ts'
import { type Load, startLoad } from '../support/nodes/load.ts'
import type { RecordedResponse } from '../support/nodes/recorded-responses.ts'

const { nodes, balanced } = await clusterForFile()

/** Maximum time until every node reports an outage. */
const noticedMs = 4_000
/** Maximum time after an outage until everything works again. */
const recoveredMs = 5_000
const observedMs = 3_000
/** Maximum time of a request, even when the database or the store does not respond. */
const maxRequestMs = 33_000
const allRequests = ['upload', 'mark', 'gallery', 'thumbnail', 'original', 'info', 'list', 'grid', 'download']

let load: Load
beforeAll(async () => {
  load = await startLoad(nodes, await createEvent(balanced.api))
  // Runs the load for two seconds before the first outage.
  await sleep(2_000)
})

/** The database outage is longer, so that waiting requests fail before it ends. */
const outages = [
  {
    of: 'database' as const,
    forMs: 34_000,
    failing: allRequests.filter((what) => what !== 'thumbnail'),
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
  let responses: RecordedResponse[]
  let during: RecordedResponse[]
  let after: RecordedResponse[]

  // The connections of one node are cut. Those of the other stall but stay open.
  beforeAll(async () => {
    const earlier = load.responses.length
    const [cut, silent] = nodes.map((node) => node[of] as TcpProxy)
    const from = performance.now()
    cut?.cut()
    silent?.stall()
    await sleep(forMs)
    for (const way of [cut, silent]) way?.open()
    const to = performance.now()
    await sleep(recoveredMs + observedMs)
    responses = load.responses.slice(earlier)
    during = responses.filter(({ sentAt, tookMs }) => sentAt > from + 500 && sentAt + tookMs < to)
    after = responses.filter(({ sentAt }) => sentAt > to + recoveredMs)
  })

  test('requests that need it get 503 with Retry-After, and no request gets an unexpected error', () => {
    const needing = during.filter(({ what }) => failing.includes(what))
    for (const { url } of nodes) expect(needing.filter((response) => response.url === url).length).toBeGreaterThan(3)
    expect(needing.filter(({ status }) => status !== 503)).toEqual([])
    const rejected = responses.filter(({ status }) => status === 503)
    expect(rejected.filter(({ retryAfter, code }) => !(Number(retryAfter) > 0) || code !== 'UNAVAILABLE')).toEqual([])
    const isKnown = ({ status, code }: RecordedResponse) =>
      [200, 201, 503].includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS'
    // These responses are streamed, so their body can end early when the connection is cut.
    const isBroken = ({ status, what }: RecordedResponse) =>
      status === 0 && ['original', 'download', 'thumbnail'].includes(what)
    expect(responses.filter((response) => !isKnown(response) && !isBroken(response))).toEqual([])
  })

  test('no request waits too long, and requests that do not need it stay fast', () => {
    expect(responses.filter(({ tookMs }) => tookMs > maxRequestMs)).toEqual([])
    const others = during.filter(({ what }) => served.includes(what))
    expect(others.filter(({ status, tookMs }) => status !== 200 || tookMs > 3_000)).toEqual([])
  })

  test('/health of each node reports it, and the process stays alive', () => {
    const from = during[0]?.sentAt ?? 0
    for (const { url } of nodes) {
      const healthResponses = during.filter(({ what, sentAt }) => what === 'health' && sentAt > from + noticedMs)
      const statuses = healthResponses.filter((response) => response.url === url).map(({ status }) => status)
      expect([statuses.length > 2, [...new Set(statuses)]]).toEqual([true, [503]])
    }
    expect(responses.filter(({ what, status }) => what === 'live' && status !== 200)).toEqual([])
  })

  test('everything works again a few seconds later', () => {
    expect(after.filter(({ status }) => status > 201 || status === 0)).toEqual([])
    for (const { url } of nodes) {
      const done = new Set(after.filter((response) => response.url === url).map(({ what }) => what))
      // `allRequests` has no chunked uploads: they are slow, so a node may not have got one yet.
      expect([...done]).toEqual(expect.arrayContaining([...allRequests, 'health', 'live']))
    }
  })
})

test('nothing that was confirmed is lost, and no photo exists twice', async () => {
  await load.stop(20_000)
  expect(load.files.filter(({ id }) => id === null)).toEqual([])
  for (const node of nodes) await expectNothingLost(load, node)
})
