import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { adminAppForFile, notice, withoutResponses } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { hasFocus } from '../support/browser/input-methods.ts'
import { longPress, swipe } from '../support/browser/touch-gestures.ts'
import type { TestClient } from '../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const adminApp = await adminAppForFile(service)
const photoCount = 12

let event: TestEvent
let ids: number[]
let guest: TestClient
beforeEach(async () => {
  event = await createEvent(api)
  ids = await uploadPhotos(api, event.id, photoCount)
  guest = await enterAsGuest(service, event)
})

const locateTile = (page: Page, place: number): Locator => page.locator(`[data-photo="${ids[place]}"]`)
const bar = (page: Page): Locator => page.getByRole('region', { name: 'Selected photos' })
const viewer = (page: Page): Locator => page.getByRole('dialog')

const listSelected = (page: Page): Promise<number[]> =>
  page
    .locator('[role=gridcell][aria-selected=true]')
    .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset.index)))

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

const loadPhoto = async (place: number) =>
  (await admin.get(`/api/admin/photos/${event.id}/photo/${ids[place]}`, { accept: 'application/json' })).body

async function open(path = '', device: 'phone' | 'desktop' = 'desktop') {
  const here = await adminApp.open(`/events/${event.id}${path}`, { device })
  await locateTile(here.page, 0).waitFor()
  return here
}

test('photos are ordered by hand: by dragging, by keys and in the menu, and guests see the order', {
  tags: 'nightly',
}, async () => {
  const { page, pageErrors } = await open('?sort=manual')
  // All photos are in view, so that dragging does not scroll.
  await page.setViewportSize({ width: 1280, height: 1400 })
  const places = async () => (await shown(page)).map((id) => ids.indexOf(id))
  const dragTo = async (from: number, to: number, atShare: number) => {
    const [start, target] = [await locateTile(page, from).boundingBox(), await locateTile(page, to).boundingBox()]
    if (!start || !target) throw new Error('A tile is missing')
    await page.mouse.move(start.x + start.width / 2, start.y + 40)
    await page.mouse.down()
    await page.mouse.move(start.x + start.width / 2 + 20, start.y + 40, { steps: 3 })
    await page.mouse.move(target.x + target.width * atShare, target.y + 40, { steps: 3 })
    await expect.poll(() => locateTile(page, to).getAttribute('data-drop')).toBe(atShare < 0.5 ? 'before' : 'after')
  }
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /drag-photos/.test(name)),
  )
  await dragTo(3, 1, 0.2)
  await expectNoAxeFindings(page)
  await page.mouse.up()
  await expect.poll(places).toEqual([0, 3, 1, 2, ...range(4, 12)])
  // A drag of a selected photo moves the whole selection. Escape ends a drag without a move.
  await locateTile(page, 0).click()
  await locateTile(page, 1).click({ modifiers: ['Control'] })
  await dragTo(1, 5, 0.8)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await dragTo(0, 5, 0.8)
  await page.getByText('2 photos', { exact: true }).waitFor()
  await page.mouse.up()
  await expect.poll(places).toEqual([3, 2, 4, 5, 0, 1, ...range(6, 12)])

  await locateTile(page, 3).click()
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(places).toEqual([2, 3, 4, 5, 0, 1, ...range(6, 12)])
  await page.getByText('Moved to place 2 of 12.').waitFor({ state: 'attached' })
  await expect.poll(() => hasFocus(locateTile(page, 3))).toBe(true)
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move to end' }).click()
  const expected = [2, 4, 5, 0, 1, ...range(6, 12), 3]
  await expect.poll(places).toEqual(expected)
  await page.getByRole('button', { name: 'Show guests this order' }).click()
  await page.getByText('Guests see this order.').waitFor()
  const { photos } = (await guest.get(`/api/gallery/${event.slug}/photos`)).body
  expect(photos.map(({ id }: { id: number }) => ids.indexOf(id))).toEqual(expected)
  expect(pageErrors).toEqual([])
})

test('photos are selected and marked by pointer, as files are, and by keyboard', { tags: 'nightly' }, async () => {
  const { page, pageErrors } = await open()
  await locateTile(page, 0).focus()
  const marks = async () => [(await loadPhoto(0)).my_rating, (await loadPhoto(0)).my_color_label]
  await page.keyboard.press('4')
  await page.keyboard.press('8')
  await expect.poll(marks).toEqual([4, 'green'])
  await page.keyboard.press('0')
  await page.keyboard.press('8')
  await expect.poll(marks).toEqual([null, null])

  await locateTile(page, 1).click()
  expect(await listSelected(page)).toEqual([1])
  await locateTile(page, 3).click({ modifiers: ['Control'] })
  expect(await listSelected(page)).toEqual([1, 3])
  await locateTile(page, 6).click({ modifiers: ['Shift'] })
  await expect.poll(() => listSelected(page)).toEqual([3, 4, 5, 6])
  await page.keyboard.press('5')
  await notice(page, '4 photos updated.').waitFor()
  expect(await Promise.all([2, 3, 6].map(async (place) => (await loadPhoto(place)).my_rating))).toEqual([null, 5, 5])
  await locateTile(page, 5).locator('[data-act=check]').click()
  expect(await listSelected(page)).toEqual([3, 4, 6])
  expect(await bar(page).textContent()).toContain('3 selected')
  await expectNoAxeFindings(page)
  expect(await page.getByRole('gridcell', { name: /^photo-4.jpg, your rating: 5 stars/ }).count()).toBe(1)
  await locateTile(page, 8).click()
  expect(await listSelected(page)).toEqual([8])
  const makeCover = bar(page).getByRole('button', { name: 'Use as cover' })
  await makeCover.click()
  await notice(page, 'is now the cover.').waitFor()
  await makeCover.waitFor({ state: 'detached' })
  await bar(page).getByRole('button', { name: 'Clear selection' }).click()

  // One Tab enters the grid, arrows move within it.
  await locateTile(page, 8).focus()
  await page.keyboard.press('Control+Home')
  await expect.poll(() => getFocusedIndex(page)).toBe(0)
  expect(await page.locator('[role=gridcell][tabindex="0"]').count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => listSelected(page)).toEqual([1, 2, 3])
  await page.keyboard.press('Escape')
  expect(await listSelected(page)).toEqual([])
  await page.keyboard.press('Control+a')
  await expect.poll(() => listSelected(page)).toHaveLength(photoCount)
  await page.keyboard.press('Control+End')
  await expect.poll(() => getFocusedIndex(page)).toBe(photoCount - 1)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  const columns = Number(await page.getByRole('grid').getAttribute('aria-colcount'))
  const rowStart = photoCount - 1 - ((photoCount - 1) % columns)
  await expect.poll(() => getFocusedIndex(page)).toBe(rowStart - columns)
  expect(pageErrors).toEqual([])
})

test('by touch, a long press begins a selection and a tap adds; without a selection a tap opens the viewer', {
  tags: 'nightly',
}, async () => {
  const { page, pageErrors } = await open('', 'phone')
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await longPress(locateTile(page, 1), bar(page))
  await expect.poll(() => listSelected(page)).toEqual([1])
  await locateTile(page, 2).locator('.photo-ground').tap()
  await expect.poll(() => listSelected(page)).toEqual([1, 2])
  await bar(page).getByRole('button', { name: 'Rating and color label' }).tap()
  await bar(page).getByRole('button', { name: '3 stars' }).tap()
  await expect.poll(async () => (await loadPhoto(2)).my_rating).toBe(3)
  // Scrolls to the end, because axe reports controls that the bar covers in part.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expectNoAxeFindings(page)
  await bar(page).getByRole('button', { name: 'Clear selection' }).tap()
  await locateTile(page, 0).locator('.photo-ground').tap()
  await viewer(page).waitFor()
  await expectNoAxeFindings(page)
  await swipe(page, { x: 300, y: 400 }, { x: 120, y: 410 })
  await viewer(page).getByRole('heading', { name: 'photo-2.jpg' }).waitFor()
  await swipe(page, { x: 120, y: 400 }, { x: 300, y: 410 })
  await viewer(page).getByRole('heading', { name: 'photo-1.jpg' }).waitFor()
  expect(pageErrors).toEqual([])
})

test('selected photos are hidden from guests, moved to a category that is created there, and one is replaced', async () => {
  await admin.put(`/api/admin/photos/${event.id}/photos/${ids[1]}/mark`, { rating: 4 })
  const before = await loadPhoto(1)
  const { page } = await open()
  const statusFor = async (place: number) =>
    (await guest.get(`/api/gallery/${event.slug}/photo/${ids[place]}?w=640`)).status
  await locateTile(page, 0).click()
  await locateTile(page, 2).click({ modifiers: ['Shift'] })
  await bar(page).getByRole('button', { name: 'Hide' }).click()
  await notice(page, '3 photos hidden from guests.').waitFor()
  expect(await Promise.all([0, 1, 2, 3].map(statusFor))).toEqual([404, 404, 404, 200])
  expect(await locateTile(page, 1).locator('.photo-states').textContent()).toBe('Hidden')
  expect(await page.getByRole('gridcell', { name: /^photo-2.jpg, Hidden/ }).count()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await notice(page, 'Undone.').waitFor()
  expect(await statusFor(1)).toBe(200)

  await page.getByRole('button', { name: 'More for all photos' }).click()
  await page.getByRole('menuitem', { name: 'Manage categories' }).click()
  const categories = page.getByRole('dialog', { name: 'Categories' })
  await categories.getByLabel('New category').fill('Dance floor')
  await categories.getByRole('button', { name: 'Create' }).click()
  await categories.getByLabel('Category name').waitFor()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await locateTile(page, 0).click()
  await locateTile(page, 1).click({ modifiers: ['Control'] })
  await bar(page).getByRole('button', { name: 'Category' }).click()
  const choices = page.getByRole('dialog')
  // The photo types of older clients are not categories.
  for (const type of ['Individual', 'Collage'])
    await choices.getByRole('button', { name: `Photo type: ${type}` }).waitFor()
  await choices.getByRole('button', { name: 'Dance floor' }).click()
  await notice(page, /2 photos moved to/).waitFor()
  await page
    .getByRole('group', { name: 'Categories' })
    .getByRole('button', { name: /Dance floor/ })
    .click()
  await expect.poll(() => shown(page)).toEqual([ids[0], ids[1]])

  await locateTile(page, 1).hover()
  await locateTile(page, 1).locator('[data-act=menu]').click()
  await page.getByRole('menuitem', { name: 'Replace file' }).click()
  const dialog = page.getByRole('dialog', { name: /Replace/ })
  const buffer = await jpeg({ width: 90, height: 90, seed: 99 })
  await dialog.getByLabel('New file').setInputFiles({ name: 'retouched.jpg', mimeType: 'image/jpeg', buffer })
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click()
  await notice(page, /replaced/).waitFor()
  const after = await loadPhoto(1)
  expect(after).toMatchObject({
    id: before.id,
    my_rating: 4,
    category: 'Dance floor',
    original_filename: 'retouched.jpg',
  })
  expect(after.content_hash).not.toBe(before.content_hash)
})

test('photos move to the trash, and come back by Undo or from the page of the trash', { tags: 'nightly' }, async () => {
  const { page, pageErrors } = await open()
  await locateTile(page, 4).click()
  for (const place of [5, 6]) await locateTile(page, place).click({ modifiers: ['Control'] })
  await page.keyboard.press('Delete')
  await notice(page, '3 photos moved to the trash.').waitFor()
  await locateTile(page, 4).waitFor({ state: 'detached' })
  expect((await loadPhoto(4)).code).toBe('NOT_FOUND')
  await page.getByRole('button', { name: 'Undo' }).click()
  await notice(page, '3 photos restored.').waitFor()
  await locateTile(page, 4).waitFor()

  await page.waitForFunction(() => document.activeElement?.closest('[role=grid]'))
  await locateTile(page, 4).click()
  for (const place of [5, 6]) await locateTile(page, place).click({ modifiers: ['Control'] })
  await page.keyboard.press('Delete')
  await notice(page, '3 photos moved to the trash.').waitFor()
  await page.getByRole('link', { name: 'Trash', exact: true }).click()
  await page.getByText('30 days left').first().waitFor()
  await page.getByRole('checkbox', { name: 'photo-5.jpg' }).check()
  await page.getByText('1 selected').waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Delete permanently' }).click()
  await notice(page, '1 photo deleted.').waitFor()
  await page.getByRole('checkbox', { name: 'photo-6.jpg' }).check()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await notice(page, '1 photo restored.').waitFor()
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await question.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('The trash is empty').waitFor()
  await page.getByRole('link', { name: 'Photos', exact: true }).click()
  await expect.poll(() => shown(page)).toEqual(ids.filter((id) => id !== ids[4] && id !== ids[6]))
  expect(pageErrors).toEqual([])
})

test('filters are in the address, joined by AND or OR, and survive a reload, and an order stays for the next visit', {
  tags: 'nightly',
}, async () => {
  await admin.put(`/api/admin/photos/${event.id}/photos/${ids[2]}/mark`, { rating: 5 })
  await admin.put(`/api/admin/photos/${event.id}/photos/${ids[7]}/mark`, { color_label: 'red' })
  const { page, pageErrors } = await open()
  await page.getByRole('button', { name: 'Filters' }).click()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  await panel.getByRole('group', { name: 'My minimum rating' }).getByRole('button', { name: '4 stars or more' }).click()
  await expect.poll(() => shown(page)).toEqual([ids[2]])
  await panel.getByRole('group', { name: 'My color labels' }).getByRole('button', { name: 'Red' }).click()
  await page.getByText('No photos match these filters').waitFor()
  await panel.getByRole('button', { name: 'Any of these filters' }).click()
  await expect.poll(() => shown(page)).toEqual([ids[2], ids[7]])
  await expectNoAxeFindings(page)
  await page.reload()
  await expect.poll(() => shown(page)).toEqual([ids[2], ids[7]])
  expect(new URL(page.url()).searchParams.get('logic')).toBe('OR')
  await page.getByRole('button', { name: 'Select all' }).click()
  await bar(page).getByText('2 selected').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Remove filter: My minimum rating/ }).click()
  await expect.poll(() => shown(page)).toEqual([ids[7]])
  await page.getByRole('searchbox', { name: 'Search file names' }).fill('photo-3')
  await page.getByText('No photos match these filters').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).first().click()
  await expect.poll(() => shown(page)).toEqual(ids)

  await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ label: 'Newest upload first' })
  await expect.poll(() => shown(page)).toEqual(ids.toReversed())
  await page.goto(`${service.url}/admin/events/${event.id}`)
  await expect.poll(() => shown(page)).toEqual(ids.toReversed())
  expect(pageErrors).toEqual([])
})

test('the viewer opens from a tile, moves, marks and zooms by keys, and goes on when its photo moves to the trash', {
  tags: 'nightly',
}, async () => {
  const large = await api.upload(event.id, await jpeg({ width: 2400, height: 1600 }), { name: 'large.jpg' })
  const { page, pageErrors } = await open()
  const heading = (name: string) => viewer(page).getByRole('heading', { name }).first()
  await locateTile(page, 0).focus()
  await page.keyboard.press('Enter')
  await viewer(page).getByText('photo-1.jpg').first().waitFor()
  expect(new URL(page.url()).searchParams.get('photo')).toBe(String(ids[0]))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await heading('photo-3.jpg').waitFor()
  await page.keyboard.press('3')
  await expect.poll(async () => (await loadPhoto(2)).my_rating).toBe(3)
  await page.keyboard.press('i')
  await viewer(page).getByText('Content hash').waitFor()
  await expectNoAxeFindings(page)
  await page.goBack()
  await viewer(page).waitFor({ state: 'detached' })
  await expect.poll(() => getFocusedIndex(page)).toBe(2)
  await page.goForward()
  await heading('photo-3.jpg').waitFor()
  await viewer(page).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  await heading('photo-4.jpg').waitFor()
  await page.keyboard.press('Escape')
  await viewer(page).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.has('photo')).toBe(false)
  await locateTile(page, 2).waitFor({ state: 'detached' })
  await expect.poll(() => getFocusedIndex(page)).toBe(2)

  await page.goto(`${service.url}/admin/events/${event.id}?photo=${large.body.id}`)
  const picture = viewer(page).locator('.viewer-sheet')
  await picture.waitFor()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeLessThan(1281)
  // One pixel of the picture for each pixel of the screen.
  await page.keyboard.press('z')
  await expect.poll(async () => (await picture.boundingBox())?.width).toBe(2400)
  await page.keyboard.press('z')
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeLessThan(1281)
  expect(withoutResponses(pageErrors)).toEqual([])
})

const shown = (page: Page): Promise<number[]> =>
  page.locator('[data-photo]').evaluateAll((tiles) => tiles.map((tile) => Number((tile as HTMLElement).dataset.photo)))

const getFocusedIndex = (page: Page): Promise<number> =>
  page.evaluate(() => Number((document.activeElement as HTMLElement | null)?.dataset.index ?? -1))
