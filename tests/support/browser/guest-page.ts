import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, expect, onTestFinished, vi } from 'vitest'
import { launchChromium } from '../../../tools/chromium.ts'
import { requireOrSkip } from '../run/requirements.ts'
import { measureCost } from '../run/times/counters.ts'

export const devices = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} satisfies Record<string, BrowserContextOptions>

/** Ends a hang. Shorter than the limit of a browser test, so that the error names the missing element. */
const maxWaitMs = 60_000

export type GuestChromium = Awaited<ReturnType<typeof chromiumForFile>>

export type Device = keyof typeof devices

/** A page, and the problems recorded on it so far. For accessibility findings see axe.ts. */
export type GuestPage = { page: Page; pageErrors: string[] }

const remedy =
  'On Linux on x64, npm ci installs it (@sparticuz/chromium); elsewhere CHROMIUM_PATH must name an installed one.'

let shared: Promise<Browser> | null = null

/** Returns the Chromium of this test process, which all its files share. It ends with the process. */
async function sharedChromium(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = measureCost('browser start', launchChromium)
  return (await shared) as Browser
}

/**
 * Opens pages in a separate browser context for each test. If Chromium cannot start, the tests are skipped with a
 * note; in CI they fail.
 */
export async function chromiumForFile() {
  vi.setConfig({ testTimeout: 180_000 })
  let browser: Browser | null = null
  let startError = ''
  try {
    browser = await sharedChromium()
  } catch (error) {
    startError = String(error instanceof Error ? error.message : error).split('\n')[0] ?? ''
  }
  const chromium = { name: `Chromium (its start fails: ${startError})`, isMet: () => browser !== null, remedy }
  beforeEach(({ skip }) => requireOrSkip(skip, [chromium]))

  const guests = {
    /** Opens an empty page in a new browser context that closes when the test ends. */
    async openBlankPage(origin: string, device: Device, options: BrowserContextOptions = {}): Promise<GuestPage> {
      if (browser === null) throw new Error(startError)
      // Without animations, an element is where it stays as soon as it shows.
      const context = await browser.newContext({
        locale: 'en',
        reducedMotion: 'reduce',
        ...devices[device],
        ...options,
      })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(maxWaitMs)
      return { page, pageErrors: recordPageErrors(page, origin) }
    },
    async open(url: string, device: Device, options: BrowserContextOptions = {}): Promise<GuestPage> {
      const guest = await guests.openBlankPage(new URL(url).origin, device, options)
      await guest.page.goto(url)
      return guest
    },
  }
  return guests
}

/** Records console warnings and errors, uncaught errors, dialogs, and requests to other origins. */
function recordPageErrors(page: Page, origin: string): string[] {
  const pageErrors: string[] = []
  page.on('console', (message) => {
    const { url } = message.location()
    if (['error', 'warning', 'assert'].includes(message.type())) pageErrors.push(`${message.text()} (${url})`)
  })
  page.on('pageerror', (error) => pageErrors.push(`not caught: ${error.stack ?? error.message}`))
  page.on('dialog', (dialog) => {
    pageErrors.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) pageErrors.push(`asked for ${url}`)
  })
  return pageErrors
}

/** Waits until closed layers have removed their history entries. Before that, a step back cancels a navigation. */
export const waitForHistory = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => history.state?.layers ?? 0), { interval: 20 }).toBe(0)

/** Waits until the script has taken over the page and, unless there are few photos, has laid out the grid. */
export const waitForScript = (page: Page, hasFewPhotos = false): Promise<void> =>
  page.locator(`html.scripted #grid${hasFewPhotos ? '' : '.placed'}`).waitFor()

/** Chooses an entry of the menu of a gallery. */
export async function chooseFromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.locator('#menu').getByRole('button', { name, exact: true }).click()
}

/** Records layout shifts that no touch or key has caused. Returns a function that lists them with their elements. */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = []
    Object.assign(window, { shifts })
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Array<{ node?: Element }> }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput) shifts.push(`${value}: ${sources.map(({ node }) => node?.outerHTML?.slice(0, 200))}`)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}

/** Returns how far the page can scroll sideways, in CSS pixels. */
export const measureSidewaysOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
