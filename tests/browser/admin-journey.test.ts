import { expect, test } from 'vitest'
import { runFirstStart } from '../support/browser/first-start-journey.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'

const browsers = await chromiumForFile()

test('the first start leads to a gallery that guests can open', async () => {
  expect(await runFirstStart(browsers, 'desktop', 6)).toBe(6)
})
