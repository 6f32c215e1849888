import { randomInt } from 'node:crypto'
import { test } from 'vitest'
import { checkPhotoLists, createListReaders } from '../../support/lists/photo-list-checks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const readers = await createListReaders(service)

/** The seeds differ in every run. A failure shows its seed, which reproduces its photos, marks and queries. */
const seeds = Array.from({ length: 3 }, () => randomInt(2 ** 31))

test.each(seeds)('the list returns the same as plain loops for any query and marks (seed %i)', async (seed) => {
  await checkPhotoLists(service, readers, seed, 150)
})
