import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEvent } from '../support/fixtures/events.ts'
import { clusterForFile } from '../support/nodes/cluster.ts'
import { expectNothingLost } from '../support/nodes/expect-nothing-lost.ts'
import { startLoad } from '../support/nodes/load.ts'

const { nodes, balanced } = await clusterForFile()
const [alpha, beta] = nodes

test('nodes killed one after the other under load lose nothing and duplicate nothing', async () => {
  const load = await startLoad([balanced], await createEvent(balanced.api))
  const { responses, files } = load
  for (const node of [alpha, beta, alpha]) {
    // Kills the node at a random moment of the load.
    await sleep(1_500 + 1_000 * Math.random())
    await node.kill()
    const killedAt = performance.now()
    // The other node continues alone.
    const served = () =>
      responses.filter(({ sentAt, status }) => sentAt > killedAt && status > 0 && status < 300).map(({ what }) => what)
    const wanted = ['upload', 'mark', 'gallery', 'original']
    await expect.poll(served).toEqual(expect.arrayContaining(wanted))
    await node.start()
  }
  // Continues the load on both nodes after the last start.
  await sleep(2_000)
  // The key of an interrupted request is free again after a minute, which is too long to wait here.
  await load.stop(5_000)
  expect(files.filter(({ id }) => id === null).length).toBeLessThan(files.length / 4)
  for (const node of nodes) await expectNothingLost(load, node)
  // 0 and 502: the node was killed during the request. 503: the node is starting.
  const known = ({ status, code }: (typeof responses)[0]) =>
    [0, 200, 201, 502, 503].includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS'
  expect(responses.filter((response) => !known(response))).toEqual([])
})
