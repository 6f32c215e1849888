import { randomInt } from 'node:crypto'
import { test } from 'vitest'
import { checkPhotoLists, createListReaders } from '../../support/lists/photo-list-checks.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const readers = await createListReaders(service)
const seeds = Array.from({ length: 60 }, () => randomInt(2 ** 31))

test.each(seeds)('the list returns the same as plain loops for any query and marks (seed %i)', async (seed) => {
  await checkPhotoLists(service, readers, seed, 1_000)
})
