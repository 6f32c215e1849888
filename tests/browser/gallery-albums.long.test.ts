import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, measureSidewaysOverflow, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, type TestEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const guests = await chromiumForFile()

const names = ['Getting ready at the house of the parents', 'Ceremony']
const createCategories = ({ id }: TestEvent): Promise<number[]> =>
  names.reduce<Promise<number[]>>(async (before, name) => {
    const ids = await before
    return [...ids, (await admin.post('/api/admin/categories', { name, event_id: id })).body.id]
  }, Promise.resolve([]))

async function createAlbums(): Promise<TestEvent> {
  const event = await createEvent(api, { header_style: 'minimal', default_photo_sort: 'upload_date_asc' })
  const [first, second] = await createCategories(event)
  // The photos of the categories alternate in the order of their upload. Three have none.
  for (let index = 0; index < 15; index++) {
    const category = index % 5 === 4 ? null : index % 2 ? first : second
    const size = index % 3 ? { width: 300, height: 200 } : { width: 200, height: 300 }
    const fields = category ? { category_id: String(category) } : {}
    await api.upload(event.id, await jpeg({ ...size, seed: index + 1 }), { name: `photo-${index + 1}.jpg`, fields })
  }
  return event
}

const headings = (page: Page) => page.locator('.group h2')
const openJumpList = (page: Page) => page.getByRole('button', { name: 'Jump to a category' })

/** Returns left, top, width and height of all photos and headings, in pixels. */
const listPlaces = (page: Page) =>
  page.locator('#grid :is(.tile, h2)').evaluateAll((parts) =>
    parts.map((part) => {
      const { left, top, width, height } = part.getBoundingClientRect()
      return [left, top + scrollY, width, height]
    }),
  )

/** Returns the distance of the focused heading from the tools, in pixels. */
const measureFocusedHeading = (page: Page) =>
  page.evaluate(() => {
    const tools = document.getElementById('tools')?.getBoundingClientRect().bottom ?? 0
    const focused = document.activeElement
    return focused?.matches('.group h2') ? focused.getBoundingClientRect().top - tools : null
  })

const event = await createAlbums()

test('headings between categories stand where they are before the script, and a list of them leads to each', async () => {
  const plain = await guests.open(event.share_url, 'desktop', { javaScriptEnabled: false })
  const { page, pageErrors } = await guests.open(event.share_url, 'desktop', { colorScheme: 'dark' })
  await waitForScript(page)
  expect(await headings(page).allTextContents()).toEqual([`${names[0]}6`, 'Ceremony6', 'More photos3'])
  const places = await listPlaces(page)
  expect(places.length).toBeGreaterThan(12)
  const before = await listPlaces(plain.page)
  for (const [index, place] of places.entries()) {
    for (const [at, pixels] of place.entries()) expect(Math.abs(pixels - (before[index]?.[at] ?? 0))).toBeLessThan(1)
  }
  await expectNoAxeFindings(page)
  expect(await measureSidewaysOverflow(page)).toBe(0)

  await openJumpList(page).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Ceremony/ })
    .waitFor()
  await expectNoAxeFindings(page)
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => measureFocusedHeading(page)).toBeGreaterThanOrEqual(0)
  expect(await page.locator(':focus').textContent()).toBe('Ceremony6')
  expect(pageErrors).toEqual([])
})

test('the page of a photo follows their order, and a filter by category has no headings', async () => {
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  const listed = await page.locator('[data-photo]').evaluateAll((links) => links.map((link) => link.dataset.photo))
  const plain = await guests.open(`${event.share_url}?photo=${listed[5]}`, 'phone', { javaScriptEnabled: false })
  const next = await plain.page.locator('a[rel="next"]').first().getAttribute('href')
  expect(new URLSearchParams(next ?? '').get('photo')).toBe(listed[6])

  await page.getByRole('link', { name: 'Ceremony' }).click()
  await page.getByText('6 of 15 photos').waitFor()
  expect(await headings(page).count()).toBe(0)
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await headings(page).nth(2).waitFor()
})
