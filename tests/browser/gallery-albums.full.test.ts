import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, measureSidewaysOverflow, waitForScript } from '../support/browser/guest-page.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../support/fixtures/events.ts'
import { createLargeGallery } from '../support/fixtures/large-gallery.ts'
import { jpeg } from '../support/media/pictures.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
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

describe.each(['phone', 'desktop'] as const)('headings between categories on a %s', (device) => {
  const colorScheme = device === 'phone' ? 'light' : 'dark'

  test('stand where they are before the script, and a list of them leads to each', async () => {
    const plain = await guests.open(event.share_url, device, { javaScriptEnabled: false })
    const { page, pageErrors } = await guests.open(event.share_url, device, { colorScheme })
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

    const choice = page.getByRole('dialog').getByRole('button', { name: /^Ceremony/ })
    if (device === 'phone') {
      await openJumpList(page).tap()
      await choice.waitFor()
      await expectNoAxeFindings(page)
      await choice.tap()
    } else {
      await openJumpList(page).focus()
      await page.keyboard.press('Enter')
      await choice.waitFor()
      await expectNoAxeFindings(page)
      for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => measureFocusedHeading(page)).toBeGreaterThanOrEqual(0)
    expect(await measureFocusedHeading(page)).toBeLessThan(device === 'phone' ? 16 : 300)
    expect(await page.locator(':focus').textContent()).toBe('Ceremony6')
    expect(pageErrors).toEqual([])
  })
})

test('the page of a photo follows their order, and a filter by category or a chosen order has none', async () => {
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
  await page.locator('.filter-opener').tap()
  const sort = page.locator('.sort select:visible')
  expect(await sort.locator('option:checked').textContent()).toBe('By category')
  await sort.selectOption('filename_asc')
  await headings(page).first().waitFor({ state: 'detached' })
  expect(await openJumpList(page).count()).toBe(0)
  await sort.selectOption('By category')
  await headings(page).nth(2).waitFor()
})

test('in a large gallery, headings move nothing, the last category is one jump away, and Back returns there', async () => {
  const large = await createLargeGallery(service, {
    photos: 3_000,
    pictures: 3,
    longEdgePx: 600,
    event: { header_style: 'standard' },
  })
  const [first, second] = await createCategories(large)
  await changeDatabase(service, (stored) => {
    const place = stored.prepare('update photos set category_id = ? where event_id = ? and id % 3 = ?')
    place.run(first, large.id, 0)
    place.run(second, large.id, 1)
  })
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'phone')
  await page.addInitScript(() => {
    Object.assign(window, { shifts: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Array<PerformanceEntry & { value: number; hadRecentInput: boolean }>)
        if (!entry.hadRecentInput) Object.assign(window, { shifts: Reflect.get(window, 'shifts') + entry.value })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const waitForAllPhotos = () => page.locator('.placed [aria-setsize="3000"]').first().waitFor()
  await page.goto(large.share_url)
  await waitForAllPhotos()
  await openJumpList(page).tap()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^More photos/ })
    .tap()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => measureFocusedHeading(page)).toBeGreaterThanOrEqual(0)
  expect(await page.locator(':focus').textContent()).toBe('More photos1000')
  expect(await page.locator('#grid .tile').count()).toBeLessThan(120)
  const first2000 = page.locator('.tile[aria-posinset="2001"]')
  const top = await first2000.evaluate((tile) => tile.getBoundingClientRect().top)
  await page.waitForLoadState('networkidle')

  await page.reload()
  await waitForAllPhotos()
  await expect.poll(() => first2000.evaluate((tile) => tile.getBoundingClientRect().top)).toBeCloseTo(top, 0)
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toBe(0)
  expect(pageErrors).toEqual([])
})
