import { expect, test } from 'vitest'
import { firstStartToSharedGallery } from '../support/first-start.ts'
import { chromiumForFile } from '../support/guest-page.ts'

const browsers = await chromiumForFile()

test('from the first start to a gallery that guests look at, in minutes and without a manual', async () => {
  expect(await firstStartToSharedGallery(browsers, 'desktop', 6)).toBe(6)
  // A whole journey, from the start of a process on.
}, 120_000)
