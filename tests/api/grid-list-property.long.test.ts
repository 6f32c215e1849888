import { randomInt } from 'node:crypto'
import { test } from 'vitest'
import { checkGridWorld } from '../support/grid-list-worlds.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()

/** Others in every run; a failure names its own, which makes the same photos, marks and queries again. */
const seeds = Array.from({ length: 8 }, () => randomInt(2 ** 31))

test.each(seeds)(
  'the grid answers any filter, logic, sort and way of paging as plain loops do (seed %i)',
  async (seed) => {
    await checkGridWorld(service, seed, 200)
  },
)
