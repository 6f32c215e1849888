import { randomInt } from 'node:crypto'
import { test } from 'vitest'
import { checkGridLists } from '../../support/lists/grid-list-checks.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()

/** Random in every run; the title of a failed test has the seed that repeats it. */
const seeds = Array.from({ length: 8 }, () => randomInt(2 ** 31))

test.each(seeds)('the grid matches the model for any filter, logic, sort and paging (seed %i)', async (seed) => {
  await checkGridLists(service, seed, 200)
})
