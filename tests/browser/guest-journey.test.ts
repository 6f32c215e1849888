import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../tools/chromium.ts'
import { createEvent, uploadPhotos } from '../support/events.ts'
import { serviceForTest } from '../support/test-service.ts'

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }

test('a guest on a phone, without script, enters by password, sees the photos, opens one and comes back', async () => {
  const service = await serviceForTest()
  const event = await createEvent(service.api, { require_password: true, password: 'seaside-evening' })
  await uploadPhotos(service.api, event.id, 6)
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ ...phone, locale: 'en', javaScriptEnabled: false })
  const complaints = complaintsIn(context, service.url)
  const page = await context.newPage()

  await page.goto(event.share_url)
  await enterPassword(page, 'not-the-password')
  await page.getByText('That password is not right. Try again.').waitFor()
  await enterPassword(page, 'seaside-evening')

  const firstPhoto = page.getByRole('img', { name: 'Photo 1 of 6' })
  await firstPhoto.waitFor()
  expect(page.url()).toBe(event.share_url)
  await page.waitForLoadState('networkidle')
  expect(await pixelWidths(page)).toEqual([60, 60, 60, 60, 60, 60])
  expect(complaints).toEqual([])

  await firstPhoto.tap()
  await page.waitForURL('**/photo/*')
  expect(await pixelWidths(page)).toEqual([60])
  await page.goBack()
  await firstPhoto.waitFor()
  expect(complaints.filter((complaint) => complaint.startsWith('asked'))).toEqual([])
})

async function enterPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Open the gallery' }).tap()
}

/** Of the pictures as they arrived; 0 for one that cannot be shown. */
const pixelWidths = (page: Page): Promise<number[]> =>
  page.locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))

/** What the console says, and requests that leave the service. Chromium reports every 401 there, the form's as well. */
function complaintsIn(context: BrowserContext, origin: string): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    const isWrongPassword = message.text().includes('401') && message.location().url.endsWith('/enter')
    // At `info` the browser tells of itself, such as of a focus it left where it was.
    if (!isWrongPassword && message.type() !== 'info') complaints.push(`${message.type()}: ${message.text()}`)
  })
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked for ${request.url()}`)
  })
  return complaints
}
