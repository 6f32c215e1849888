import { expect, test } from 'vitest'
import { runFirstStart } from '../support/browser/first-start-journey.ts'
import { chromiumForFile, type Device } from '../support/browser/guest-page.ts'
import { isLongRun } from '../support/run/long-run.ts'

const browsers = await chromiumForFile()

/** `npm test` covers the desktop with 6 photos (admin-journey.test.ts). */
const devices: Device[] = isLongRun ? ['desktop', 'phone'] : ['phone']
const photos = isLongRun ? 50 : 6

test.each(devices)(
  `from the first start to a gallery of ${photos} photographs, on a %s`,
  async (device) => {
    expect(await runFirstStart(browsers, device, photos)).toBe(photos)
  },
  300_000,
)
