import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
} satisfies BrowserContextOptions

/** Limits the page to 1.6 Mbit/s and 150 ms latency, without cache. The connection setup is not delayed. */
export async function emulateSlowConnection(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const bytesPerSecond = 1.6e6 / 8
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

export type LargestPaint = { ms: number; element: string; layoutShift: number }

type Options = { device?: BrowserContextOptions; slowdown?: number }

/** Returns the largest contentful paint of a first visit on a slow connection. `slowdown`: CPU throttling factor. */
export async function largestPaint(
  browser: Browser,
  url: string,
  { device = phone, slowdown = 1 }: Options = {},
): Promise<LargestPaint> {
  const context = await browser.newContext({ locale: 'en', ...device })
  try {
    const page = await context.newPage()
    await emulateSlowConnection(page)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.addInitScript(recordPaints)
    const answer = await page.goto(url, { waitUntil: 'load', timeout: 60_000 })
    if (!answer?.ok()) throw new Error(`${url} answers ${answer?.status()}`)
    await page.waitForLoadState('networkidle', { timeout: 60_000 })
    return await page.evaluate(() => (window as unknown as { recordedPaint: LargestPaint }).recordedPaint)
  } finally {
    await context.close()
  }
}

/** Runs in the page, so it cannot use anything else from this file. */
function recordPaints(): void {
  const recordedPaint = { ms: 0, element: '', layoutShift: 0 }
  Object.assign(window, { recordedPaint })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Array<PerformanceEntry & { element: Element | null }>) {
      recordedPaint.ms = entry.startTime
      recordedPaint.element = entry.element?.outerHTML.slice(0, 120) ?? ''
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Array<PerformanceEntry & { value: number }>)
      recordedPaint.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}
