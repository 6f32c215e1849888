import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clusterForFile } from '../support/cluster.ts'
import { createEvent } from '../support/events.ts'
import { startLoad } from '../support/load.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'

const { nodes, whole } = await clusterForFile()
const [alpha, beta] = nodes

test('one node after the other is killed under load: what was answered as done is there, whole and once', async () => {
  const load = await startLoad([whole], await createEvent(whole.api))
  const { answers, files } = load
  for (const node of [alpha, beta, alpha]) {
    // At any moment of the load.
    await sleep(1_500 + 1_000 * Math.random())
    await node.kill()
    const killedAt = performance.now()
    // The other one goes on alone.
    const served = () =>
      answers.filter(({ askedAt, status }) => askedAt > killedAt && status > 0 && status < 300).map(({ what }) => what)
    const wanted = ['upload', 'mark', 'gallery', 'original']
    await expect.poll(served, { timeout: 30_000 }).toEqual(expect.arrayContaining(wanted))
    await node.start()
  }
  // A load on both nodes after the last start.
  await sleep(2_000)
  // A key that a killed node was at work under is free again after a minute: nobody waits for that here.
  await load.stop(5_000)
  expect(files.filter(({ id }) => id === null).length).toBeLessThan(files.length / 4)
  for (const node of nodes) await expectNothingLost(load, node)
  // 503: of one that is starting.
  const known = ({ status, code }: (typeof answers)[0]) =>
    [0, 200, 201, 502, 503].includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS'
  expect(answers.filter((answer) => !known(answer))).toEqual([])
}, 150_000)
