import { randomInt } from 'node:crypto'
import { test } from 'vitest'
import { checkGalleryLists } from '../../support/lists/gallery-list-checks.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()

/** The seeds differ in every run. The title of a failed test contains the seed that reproduces the failure. */
const seeds = Array.from({ length: 8 }, () => randomInt(2 ** 31))

test.each(seeds)('the gallery list matches the model for any filter, sort and page (seed %i)', async (seed) => {
  await checkGalleryLists(service, seed, 250)
})
