import { expect, test } from 'vitest'
import { firstStartToSharedGallery } from '../support/first-start.ts'
import { chromiumForFile } from '../support/guest-page.ts'

const browsers = await chromiumForFile()

test.each(['desktop', 'phone'] as const)(
  'from the first start to a gallery of 50 photographs, on a %s',
  async (device) => {
    expect(await firstStartToSharedGallery(browsers, device, 50)).toBe(50)
  },
  300_000,
)
