import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { adminAppForFile, notice } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { swipe } from '../support/browser/touch-gestures.ts'
import type { TestClient } from '../support/clients/test-client.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
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

test('photos are ordered by hand: by dragging, by keys and in the menu, and guests see the order', async () => {
  const { page, pageErrors } = await open('?sort=manual')
  // All photos are in view, so that dragging does not scroll.
  await page.setViewportSize({ width: 1280, height: 1400 })
  const listPlaces = async (client: TestClient, path: string): Promise<number[]> =>
    (await client.get(path)).body.photos.map(({ id }: { id: number }) => ids.indexOf(id))
  const order = () => listPlaces(admin, `/api/admin/photos/${event.id}/photos?sort=manual`)
  const shown = () =>
    page
      .locator('[data-photo]')
      .evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset.photo)))
      .then((shownIds) => shownIds.map((id) => ids.indexOf(id)))
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
  await expect.poll(shown).toEqual([0, 3, 1, 2, ...range(4, 12)])
  expect(await listSelected(page)).toEqual([])

  // A drag of a selected photo moves the whole selection. Escape ends a drag without a move.
  await locateTile(page, 0).click()
  await locateTile(page, 1).click({ modifiers: ['Control'] })
  await dragTo(1, 5, 0.8)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await dragTo(0, 5, 0.8)
  await page.getByText('2 photos', { exact: true }).waitFor()
  await page.mouse.up()
  await expect.poll(shown).toEqual([3, 2, 4, 5, 0, 1, ...range(6, 12)])

  await locateTile(page, 3).click()
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(shown).toEqual([2, 3, 4, 5, 0, 1, ...range(6, 12)])
  await page.getByText('Moved to place 2 of 12.').waitFor({ state: 'attached' })
  await expect.poll(() => locateTile(page, 3).evaluate((tile) => tile === document.activeElement)).toBe(true)
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move to end' }).click()
  const expected = [2, 4, 5, 0, 1, ...range(6, 12), 3]
  await expect.poll(shown).toEqual(expected)
  expect(await order()).toEqual(expected)

  await page.getByRole('button', { name: 'Show guests this order' }).click()
  await page.getByText('Guests see this order.').waitFor()
  expect(await listPlaces(guest, `/api/gallery/${event.slug}/photos`)).toEqual(expected)
  expect(pageErrors).toEqual([])
})

test('photos are ordered by capture time, those without one last, also after a reload', async () => {
  const [first = 0, second = 0, third = 0] = ids
  await changeDatabase(service, (stored) => {
    const taken = stored.prepare('update photos set captured_at = ? where id = ?')
    taken.run(3000, first)
    taken.run(-1000, second)
    taken.run(2000, third)
  })
  const { page } = await open()
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ label: 'Oldest taken first' })
  const order = () =>
    page.locator('[data-photo]').evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset.photo)))
  const wanted = [second, third, first, ...ids.slice(3)]
  await expect.poll(order).toEqual(wanted)
  expect(new URL(page.url()).searchParams.get('sort')).toBe('capture_date')
  await page.reload()
  await expect.poll(order).toEqual(wanted)
  // The order stays the one of the next visit, without being in its address.
  await page.goto(`${service.url}/admin/events/${event.id}`)
  await expect.poll(order).toEqual(wanted)
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ label: 'Oldest upload first' })
  await expect.poll(order).toEqual(ids)
})

test.each(['desktop', 'phone'] as const)('a very long name stays in its own tile, on a %s', async (device) => {
  const name = `${'Channel_digital_image_CMYK_color_'.repeat(5)}.jpg`
  const { body } = await api.upload(event.id, await jpeg({ seed: 77 }), { name })
  const { page } = await adminApp.open(`/events/${event.id}?search=Channel`, { device })
  const tile = page.locator(`[data-photo="${body.id}"]`)
  await tile.waitFor()
  expect(await tile.evaluate(listOverflowing)).toEqual([])
  expect(await tile.locator('.photo-name').getAttribute('title')).toBe(name)
  expect(await page.getByRole('gridcell', { name }).count()).toBe(1)
  const given = await enterAsGuest(service, event)
  await given.post(`/api/gallery/${event.slug}/photos/${body.id}/feedback`, { feedback_type: 'favorite', set: true })
  await page.goto(`${service.url}/admin/events/${event.id}/picks`)
  const pick = page.locator('.pick-tile').first()
  await pick.waitFor()
  expect(await pick.evaluate(listOverflowing)).toEqual([])
})

describe('photos are selected', () => {
  test('by pointer as files are: one, one more, a range, by their ring', async () => {
    const { page, pageErrors } = await open()
    await locateTile(page, 1).click()
    expect(await listSelected(page)).toEqual([1])
    await locateTile(page, 3).click({ modifiers: ['Control'] })
    expect(await listSelected(page)).toEqual([1, 3])
    await locateTile(page, 6).click({ modifiers: ['Shift'] })
    await expect.poll(() => listSelected(page)).toEqual([3, 4, 5, 6])
    await locateTile(page, 5).locator('[data-act=check]').click()
    expect(await listSelected(page)).toEqual([3, 4, 6])
    expect(await bar(page).textContent()).toContain('3 selected')
    await locateTile(page, 8).click()
    expect(await listSelected(page)).toEqual([8])
    await expectNoAxeFindings(page)
    expect(pageErrors).toEqual([])
  })

  test('by keyboard: one Tab enters the grid, arrows move within it', async () => {
    const { page, pageErrors } = await open()
    await locateTile(page, 0).focus()
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

  test('by touch: a long press begins, a tap adds; without a selection a tap opens', async () => {
    const { page, pageErrors } = await open('', 'phone')
    expect(await measureSidewaysOverflow(page)).toBe(0)
    const box = await locateTile(page, 1).boundingBox()
    const touch = await page.context().newCDPSession(page)
    const touchPoints = [{ x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 60 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    // Holds the finger long enough for a long press.
    await page.waitForTimeout(600)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
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
})

test('a hidden photo disappears for guests at once, and undo restores it', async () => {
  const { page } = await open()
  await locateTile(page, 0).click()
  await locateTile(page, 2).click({ modifiers: ['Shift'] })
  await bar(page).getByRole('button', { name: 'Hide' }).click()
  await notice(page, '3 photos hidden from guests.').waitFor()
  for (const place of [0, 1, 2]) {
    expect((await guest.get(`/api/gallery/${event.slug}/photo/${ids[place]}?w=640`)).status).toBe(404)
  }
  expect((await guest.get(`/api/gallery/${event.slug}/photo/${ids[3]}?w=640`)).status).toBe(200)
  expect(await locateTile(page, 1).locator('.photo-states').textContent()).toBe('Hidden')
  expect(await page.getByRole('gridcell', { name: /^photo-2.jpg, Hidden/ }).count()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await notice(page, 'Undone.').waitFor()
  expect((await guest.get(`/api/gallery/${event.slug}/photo/${ids[1]}?w=640`)).status).toBe(200)
})

test('photos move to the trash, and come back by Undo or from the page of the trash', async () => {
  const { page, pageErrors } = await open()
  await locateTile(page, 4).click()
  await locateTile(page, 5).click({ modifiers: ['Control'] })
  await page.keyboard.press('Delete')
  await notice(page, '2 photos moved to the trash.').waitFor()
  await locateTile(page, 4).waitFor({ state: 'detached' })
  expect((await loadPhoto(4)).code).toBe('NOT_FOUND')
  await page.getByRole('button', { name: 'Undo' }).click()
  await notice(page, '2 photos restored.').waitFor()
  await locateTile(page, 4).waitFor()
  expect((await loadPhoto(4)).id).toBe(ids[4])

  await page.waitForFunction(() => document.activeElement?.closest('[role=grid]'))
  await locateTile(page, 4).click()
  for (const place of [5, 6]) await locateTile(page, place).click({ modifiers: ['Control'] })
  await page.keyboard.press('Delete')
  await notice(page, '3 photos moved to the trash.').waitFor()
  await page.getByRole('link', { name: 'Trash', exact: true }).click()
  await page.getByText('30 days left').first().waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('checkbox', { name: 'photo-5.jpg' }).check()
  await page.getByText('1 selected').waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete 1 photo permanently?' })
  await question.getByRole('button', { name: 'Delete permanently' }).click()
  await notice(page, '1 photo deleted.').waitFor()
  await page.getByRole('checkbox', { name: 'photo-6.jpg' }).check()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await notice(page, '1 photo restored.').waitFor()
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('The trash is empty').waitFor()
  await page.getByRole('link', { name: 'Photos', exact: true }).click()
  await locateTile(page, 5).waitFor()
  expect((await loadPhoto(4)).code).toBe('NOT_FOUND')
  expect(pageErrors).toEqual([])
  expect(
    await page
      .getByText(`${photoCount - 2} photos`, { exact: true })
      .first()
      .isVisible(),
  ).toBe(true)
})

describe('Lightroom shortcuts', () => {
  test('mark the focused photo, or all selected ones', async () => {
    const { page } = await open()
    await locateTile(page, 0).focus()
    await page.keyboard.press('4')
    await page.keyboard.press('8')
    await expect.poll(async () => (await loadPhoto(0)).my_rating).toBe(4)
    await expect.poll(async () => (await loadPhoto(0)).my_color_label).toBe('green')
    await page.keyboard.press('0')
    await page.keyboard.press('8')
    await expect.poll(async () => (await loadPhoto(0)).my_rating).toBeNull()
    await expect.poll(async () => (await loadPhoto(0)).my_color_label).toBeNull()

    await locateTile(page, 1).click()
    await locateTile(page, 3).click({ modifiers: ['Shift'] })
    await expect.poll(() => listSelected(page)).toEqual([1, 2, 3])
    await page.keyboard.press('5')
    await notice(page, '3 photos updated.').waitFor()
    expect(await Promise.all([1, 2, 3].map(async (place) => (await loadPhoto(place)).my_rating))).toEqual([5, 5, 5])
    expect(await page.getByRole('gridcell', { name: /^photo-3.jpg, your rating: 5 stars/ }).count()).toBe(1)
    expect((await loadPhoto(4)).my_rating).toBeNull()
  })
})

describe('filters', () => {
  test('are in the address, joined by AND or OR, and survive a reload', async () => {
    await admin.put(`/api/admin/photos/${event.id}/photos/${ids[2]}/mark`, { rating: 5 })
    await admin.put(`/api/admin/photos/${event.id}/photos/${ids[7]}/mark`, { color_label: 'red' })
    const { page, pageErrors } = await open()
    await page.getByRole('button', { name: 'Filters' }).click()
    const panel = page.getByRole('dialog', { name: 'Filters' })
    await panel
      .getByRole('group', { name: 'My minimum rating' })
      .getByRole('button', { name: '4 stars or more' })
      .click()
    await expect.poll(() => shown(page)).toEqual([ids[2]])
    await panel.getByRole('group', { name: 'My color labels' }).getByRole('button', { name: 'Red' }).click()
    await page.getByText('No photos match these filters').waitFor()
    await panel.getByRole('button', { name: 'Any of these filters' }).click()
    await expect.poll(() => shown(page)).toEqual([ids[2], ids[7]])
    await expectNoAxeFindings(page)
    await page.reload()
    await expect.poll(() => shown(page)).toEqual([ids[2], ids[7]])
    expect(new URL(page.url()).searchParams.get('logic')).toBe('OR')
    await page.getByRole('button', { name: /^Remove filter: My minimum rating/ }).click()
    await expect.poll(() => shown(page)).toEqual([ids[7]])
    await page.getByRole('searchbox', { name: 'Search file names' }).fill('photo-3')
    await page.getByText('No photos match these filters').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).first().click()
    await expect.poll(async () => (await shown(page)).length).toBe(photoCount)
    expect(pageErrors).toEqual([])
  })

  test('select all selects exactly the photos that match the filters', async () => {
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[9]}`, { visibility: 'hidden' })
    const { page } = await open()
    await page.getByRole('button', { name: 'Select all' }).click()
    await bar(page).getByText(`${photoCount} selected`).waitFor()
    await page.goto(`${service.url}/admin/events/${event.id}?visibility=hidden`)
    await expect.poll(() => shown(page)).toEqual([ids[9]])
    expect(await listSelected(page)).toEqual([])
  })
})

describe('the viewer', () => {
  test('opens from a tile, moves and marks by keys, and Back leads to its last photo', async () => {
    const { page, pageErrors } = await open()
    await locateTile(page, 0).focus()
    await page.keyboard.press('Enter')
    await viewer(page).getByText('photo-1.jpg').first().waitFor()
    expect(new URL(page.url()).searchParams.get('photo')).toBe(String(ids[0]))
    await expectNoAxeFindings(page)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await viewer(page).getByRole('heading', { name: 'photo-3.jpg' }).first().waitFor()
    await page.keyboard.press('3')
    await expect.poll(async () => (await loadPhoto(2)).my_rating).toBe(3)
    await page.keyboard.press('i')
    await viewer(page).getByText('Content hash').waitFor()
    await expectNoAxeFindings(page)
    await page.goBack()
    await viewer(page).waitFor({ state: 'detached' })
    await expect.poll(() => getFocusedIndex(page)).toBe(2)
    await page.goForward()
    await viewer(page).getByRole('heading', { name: 'photo-3.jpg' }).first().waitFor()
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('photo')).toBe(false)
    expect(pageErrors).toEqual([])
  })

  test('shows the next photo when the current one moves to the trash', async () => {
    const { page } = await open()
    await locateTile(page, 3).dblclick()
    await viewer(page).getByRole('heading', { name: 'photo-4.jpg' }).first().waitFor()
    await viewer(page).getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Move to trash' }).click()
    await viewer(page).getByRole('heading', { name: 'photo-5.jpg' }).first().waitFor()
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'detached' })
    await locateTile(page, 3).waitFor({ state: 'detached' })
    await expect.poll(() => getFocusedIndex(page)).toBe(3)
  })

  test('can show one image pixel per screen pixel', async () => {
    const large = await api.upload(event.id, await jpeg({ width: 2400, height: 1600 }), { name: 'large.jpg' })
    const { page } = await open()
    await page.goto(`${service.url}/admin/events/${event.id}?photo=${large.body.id}`)
    const picture = viewer(page).locator('.viewer-sheet')
    await picture.waitFor()
    await expect.poll(async () => (await picture.boundingBox())?.width).toBeLessThan(1281)
    await page.keyboard.press('z')
    await expect.poll(async () => (await picture.boundingBox())?.width).toBe(2400)
    await page.keyboard.press('z')
    await expect.poll(async () => (await picture.boundingBox())?.width).toBeLessThan(1281)
  })
})

test('a replaced photo keeps its id and marks', async () => {
  await admin.put(`/api/admin/photos/${event.id}/photos/${ids[1]}/mark`, { rating: 4 })
  const before = await loadPhoto(1)
  const { page } = await open()
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
  expect(after).toMatchObject({ id: before.id, my_rating: 4, width: 90, original_filename: 'retouched.jpg' })
  expect(after.content_hash).not.toBe(before.content_hash)
})

test('categories are created, filled, filtered by and removed where they are used', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'More for all photos' }).click()
  await page.getByRole('menuitem', { name: 'Manage categories' }).click()
  const dialog = page.getByRole('dialog', { name: 'Categories' })
  await dialog.getByLabel('New category').fill('Dance floor')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByLabel('Category name').waitFor()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await locateTile(page, 0).click()
  await locateTile(page, 1).click({ modifiers: ['Control'] })
  await bar(page).getByRole('button', { name: 'Category' }).click()
  // The photo types of older clients are not categories.
  await page.getByRole('dialog').getByRole('button', { name: 'Photo type: Individual' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Photo type: Collage' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Dance floor' }).click()
  await notice(page, /2 photos moved to/).waitFor()
  await page
    .getByRole('group', { name: 'Categories' })
    .getByRole('button', { name: /Dance floor/ })
    .click()
  await expect.poll(() => shown(page)).toEqual([ids[0], ids[1]])
  expect((await loadPhoto(0)).category).toBe('Dance floor')
})

test('an event without photos explains how to add them', async () => {
  const empty = await createEvent(api)
  const { page } = await adminApp.open(`/events/${empty.id}`)
  await page.getByText(/^Drop photos or whole folders/).waitFor()
  await expectNoAxeFindings(page)
  await admin.post(`/api/admin/events/${empty.id}/archive`, {})
  await page.reload()
  await page.getByText('No photos yet').waitFor()
})

const shown = (page: Page): Promise<number[]> =>
  page.locator('[data-photo]').evaluateAll((tiles) => tiles.map((tile) => Number((tile as HTMLElement).dataset.photo)))

const getFocusedIndex = (page: Page): Promise<number> =>
  page.evaluate(() => Number((document.activeElement as HTMLElement | null)?.dataset.index ?? -1))

function listOverflowing(tile: Element): string[] {
  const { left, right } = tile.getBoundingClientRect()
  return [...tile.querySelectorAll('*:not(.heard)')]
    .filter((part) => {
      const box = part.getBoundingClientRect()
      return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
    })
    .map((part) => `${part.tagName} ${part.className}`)
}
