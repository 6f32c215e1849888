import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { addGuestPicks, adminPages, signInToAdmin } from './admin-screenshots.ts'
import { launchChromium } from './chromium.ts'
import {
  createDemoEvent,
  type Demo,
  type DemoEvent,
  nameDemoStudio,
  startDemo,
  uploadDemoPhotos,
  uploadPhoto,
} from './demo-event.ts'
import { phone } from './largest-paint.ts'

// `npm run screenshots -- [folder or file…]`: creates the pictures of the documentation from the given photos or from
// generated ones.
const folder = join(import.meta.dirname, '../docs/pictures')
const maxBytes = 200_000

const desktop = { viewport: { width: 1280, height: 960 } }
const dark = { colorScheme: 'dark' } as const

type Shot = {
  name: string
  options: BrowserContextOptions
  act?: (page: Page) => Promise<unknown>
  prepare?: (context: BrowserContext) => Promise<void>
}

const shots: Shot[] = [
  { name: 'gallery-phone', options: phone },
  { name: 'gallery-phone-dark', options: { ...phone, ...dark } },
  { name: 'gallery-desktop', options: desktop },
  { name: 'gallery-desktop-dark', options: { ...desktop, ...dark } },
  { name: 'viewer-phone', options: phone, act: openFirst },
  { name: 'viewer-desktop', options: desktop, act: openFirst },
  {
    name: 'filters-phone',
    options: phone,
    act: (page) => page.getByRole('button', { name: /^Filters/ }).click(),
  },
  { name: 'send-picks-phone', options: phone, act: sendPicks },
  { name: 'compare-desktop', options: desktop, act: compare },
]

const demo = await startDemo()
try {
  await nameDemoStudio(demo)
  const event = await createDemoEvent(demo, { default_photo_sort: 'upload_date_asc', ...(await chooseEventFields()) })
  const locked = await createDemoEvent(demo, { require_password: true, password: 'seaside-evening' })
  await fill(demo, event)
  await mkdir(folder, { recursive: true })
  const browser = await launchChromium()
  try {
    // The first visit creates the renditions.
    for (const options of [phone, desktop])
      await openShot(browser, event.share_url, { name: '', options }, waitUntilSettled)
    for (const shot of shots) await openShot(browser, event.share_url, shot, (page) => storeScreenshot(page, shot.name))
    const form = { name: 'gallery-password', options: phone }
    await openShot(browser, locked.share_url, form, (page) => storeScreenshot(page, form.name))
    await addGuestPicks(demo, event)
    for (const { name, path, isOnPhone, isDark } of adminPages(event)) {
      const options = { ...(isOnPhone ? phone : desktop), ...(isDark && dark) }
      const shot = { name, options, prepare: (context: BrowserContext) => signInToAdmin(context, demo) }
      await openShot(browser, demo.url + path, shot, (page) => storeScreenshot(page, name))
    }
  } finally {
    await browser.close()
  }
} finally {
  await demo.stop()
}

/** Returns the name, the message and the date of the event if its photos come from the command line. */
async function chooseEventFields(): Promise<Record<string, unknown>> {
  if (process.argv.length <= 2) return {}
  return { event_name: 'On the way', welcome_message: 'Some light we brought home.', event_date: '2026-04-18' }
}

async function fill(demo: Demo, event: DemoEvent): Promise<void> {
  const places = process.argv.slice(2)
  if (places.length === 0) return uploadDemoPhotos(demo, event)
  for (const file of (await Promise.all(places.map(filesIn))).flat()) {
    const bytes = await readFile(file)
    if (await isPhotograph(bytes)) await uploadPhoto(demo, event, basename(file), bytes)
  }
}

async function filesIn(place: string): Promise<string[]> {
  if ((await stat(place)).isFile()) return [place]
  const names = (await readdir(place)).filter((name) => /^\.jpe?g$/i.test(extname(name)))
  return names.sort().map((name) => join(place, name))
}

/** Returns whether the long edge has at least 1,000 pixels. Smaller pictures would look blurred. */
async function isPhotograph(bytes: Buffer): Promise<boolean> {
  const { width = 0, height = 0 } = await sharp(bytes).metadata()
  return Math.max(width, height) >= 1000
}

async function openShot(
  browser: Browser,
  url: string,
  { options, act, prepare }: Shot,
  then: (page: Page) => Promise<void>,
) {
  const context = await browser.newContext({ locale: 'en', ...options })
  await prepare?.(context)
  const page = await context.newPage()
  await page.goto(url)
  await act?.(page)
  await waitUntilSettled(page)
  await then(page)
  await context.close()
}

async function waitUntilSettled(page: Page): Promise<void> {
  // Pages with a live stream never become idle, so a timeout is not an error.
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => {})
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  )
  await page.waitForTimeout(600)
}

async function openFirst(page: Page): Promise<void> {
  await page.locator('[data-photo]').first().click()
  await page.getByRole('dialog', { name: 'Photo viewer' }).waitFor()
  await page.getByRole('button', { name: 'Pick', exact: true }).click()
  // Waits until the message about the pick is hidden.
  await page.locator('.toast').waitFor({ state: 'detached' })
}

async function sendPicks(page: Page): Promise<void> {
  const hearts = page.getByRole('button', { name: /^Pick Photo/ })
  for (const index of [0, 1, 2]) await hearts.nth(index).click()
  await page.locator('.toast').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send to photographer' }).click()
  await page.getByLabel('Message').fill('The first one large, please, for the hall.')
}

async function compare(page: Page): Promise<void> {
  await page.locator('[data-photo]').first().click()
  await page.getByRole('dialog', { name: 'Photo viewer' }).waitFor()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
}

/** Stores a JPEG of at most `maxBytes`. */
async function storeScreenshot(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ type: 'png' })
  for (const quality of [82, 76, 70, 64, 58, 50]) {
    const bytes = await sharp(picture).jpeg({ quality, mozjpeg: true }).toBuffer()
    if (bytes.length > maxBytes) continue
    await writeFile(join(folder, `${name}.jpg`), bytes)
    console.log(`${name}.jpg  ${Math.round(bytes.length / 1000)} KB`)
    return
  }
  throw new Error(`${name} is larger than ${maxBytes} bytes`)
}
