import { randomInt } from 'node:crypto'
import { test } from 'vitest'
import { checkGalleryWorld } from '../support/gallery-list-worlds.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()

/** Others in every run; a failure names its own, which makes the same photos, marks and queries again. */
const seeds = Array.from({ length: 8 }, () => randomInt(2 ** 31))

test.each(seeds)("the gallery's list answers any filter, sort and page as plain loops do (seed %i)", async (seed) => {
  await checkGalleryWorld(service, seed, 250)
})
