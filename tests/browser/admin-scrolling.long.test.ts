import { beforeAll, expect, test } from 'vitest'
import { adminScrolling, scrollThrough } from '../../tools/scroll-through.ts'
import { adminAppForFile } from '../support/browser/admin-page.ts'
import type { TestEvent } from '../support/fixtures/events.ts'
import { createLargeGallery } from '../support/fixtures/large-gallery.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const adminApp = await adminAppForFile(service)
const photoCount = 10_000
const allSelected = `${photoCount.toLocaleString('en')} selected`

let event: TestEvent
beforeAll(async () => {
  event = await createLargeGallery(service, { photos: photoCount, pictures: 4, longEdgePx: 900 })
})

test(`scrolling through ${photoCount} photos keeps few DOM nodes`, async () => {
  const { page, pageErrors } = await adminApp.open(`/events/${event.id}`)
  await page.locator('[data-photo]').first().waitFor()
  expect(await scrollThrough(page, adminScrolling)).toBeLessThan(3_000)
  expect(pageErrors).toEqual([])
})

test('distant photos are selected as a range, and all of them at once', async () => {
  const { page } = await adminApp.open(`/events/${event.id}`)
  await page.locator('[data-photo]').first().click()
  await page.keyboard.press('Control+Shift+End')
  await page.getByText(allSelected).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+a')
  await page.getByText(allSelected).waitFor()
  const last = page.locator(`[data-index="${photoCount - 1}"][data-photo]`)
  await last.waitFor()
  const { body } = await service.admin.get(`/api/admin/photos/${event.id}/photos?limit=1&order=desc`)
  expect(Number(await last.getAttribute('data-photo'))).toBe(body.photos[0].id)
})
