import { expect, test } from 'vitest'
import { firstStartToSharedGallery } from '../support/first-start.ts'
import { chromiumForFile } from '../support/guest-page.ts'

const browsers = await chromiumForFile()

test.each([
  ['desktop', 50],
  ['phone', 12],
] as const)(
  'on a %s: from the first start to a gallery of %d photographs',
  async (device, photos) => {
    expect(await firstStartToSharedGallery(browsers, device, photos)).toBe(photos)
  },
  300_000,
)
