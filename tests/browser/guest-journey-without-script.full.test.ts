import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const guests = await chromiumForFile()

test('a guest on a phone, without script, enters by password, sees the photos, opens one and returns', async () => {
  const event = await createEvent(service.api, { require_password: true, password: 'seaside-evening' })
  await uploadPhotos(service.api, event.id, 6)
  const { page, pageErrors } = await guests.open(event.share_url, 'phone', { javaScriptEnabled: false })
  await enterPassword(page, 'not-the-password')
  await page.getByText('Incorrect password. Try again.').waitFor()
  // Chromium logs every 401, including that of the form.
  expect(pageErrors.splice(0)).toEqual([expect.stringMatching(/401 .*\/enter\)$/)])
  await enterPassword(page, 'seaside-evening')

  const firstPhoto = page.getByRole('img', { name: 'Photo 1 of 6' })
  await firstPhoto.waitFor()
  expect(page.url()).toBe(event.share_url)
  await page.waitForLoadState('networkidle')
  expect(await picturesThere(page)).toEqual([true, true, true, true, true, true])
  expect(pageErrors).toEqual([])

  await firstPhoto.tap()
  await page.getByRole('heading', { name: 'Photo 1 of 6' }).waitFor()
  await page.waitForLoadState('networkidle')
  await firstPhoto.tap()
  await page.waitForURL('**/photo/*')
  expect(await page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(60)
  await page.goBack()
  await page.goBack()
  await firstPhoto.waitFor()
  expect(pageErrors.filter((complaint) => complaint.startsWith('asked'))).toEqual([])
})

async function enterPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Open gallery' }).tap()
}

const picturesThere = (page: Page): Promise<boolean[]> =>
  page
    .locator('.photo img:not(.hash)')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0))
