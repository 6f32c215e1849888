import { expect, test } from 'vitest'
import { runFirstStart } from '../support/browser/first-start-journey.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'

const browsers = await chromiumForFile()

/** `npm test` covers 6 photos on a desktop (admin-journey.test.ts). */
test.each(['desktop', 'phone'] as const)(
  'from the first start to a gallery of 50 photos, on a %s',
  async (device) => expect(await runFirstStart(browsers, device, 50)).toBe(50),
  300_000,
)
