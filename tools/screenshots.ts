import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { createDemoEvent, startDemo, uploadDemoPhotos } from './demo-event.ts'

// `npm run screenshots`: the pictures of the documentation, taken of the demo event.
const folder = join(import.meta.dirname, '../docs/pictures')

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1280, height: 800 } }

const demo = await startDemo()
try {
  const event = await createDemoEvent(demo)
  const lockedEvent = await createDemoEvent(demo, { require_password: true, password: 'seaside-evening' })
  await uploadDemoPhotos(demo, event)
  await mkdir(folder, { recursive: true })
  const browser = await launchChromium()
  try {
    await takePicture(browser, 'gallery-phone', event.share_url, phone)
    await takePicture(browser, 'gallery-desktop', event.share_url, desktop)
    await takePicture(browser, 'gallery-desktop-dark', event.share_url, { ...desktop, colorScheme: 'dark' })
    await takePicture(browser, 'gallery-password', lockedEvent.share_url, phone)
  } finally {
    await browser.close()
  }
} finally {
  await demo.stop()
}

/** Of what shows without scrolling, once all of it has loaded. */
async function takePicture(browser: Browser, name: string, url: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext({ locale: 'en', ...options })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  const path = join(folder, `${name}.jpg`)
  await page.screenshot({ path, type: 'jpeg', quality: 80 })
  await context.close()
  const { size } = await stat(path)
  console.log(`${name}.jpg  ${Math.round(size / 1000)} KB`)
}
