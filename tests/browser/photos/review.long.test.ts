import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { adminAppForFile } from '../../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../../support/browser/axe.ts'
import { measureSidewaysOverflow } from '../../support/browser/guest-page.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
const adminApp = await adminAppForFile(service)

let event: TestEvent
let ids: number[]
beforeEach(async () => {
  const { body: categories } = await admin.get('/api/admin/categories/global')
  event = await createEvent(api, {
    allow_user_uploads: true,
    moderate_uploads: true,
    upload_category_id: categories.find(({ slug }: { slug: string }) => slug === 'guest-uploads').id,
    default_photo_sort: 'manual',
  })
  const guest = await enterAsGuest(service, event)
  await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Grandma Lis' })
  const files = await Promise.all(
    [1, 2, 3, 4].map(async (seed) => ({ bytes: await jpeg({ seed }), name: `party-${seed}.jpg` })),
  )
  const { body } = await sendFiles(guest, `/api/gallery/${event.slug}/upload`, files)
  ids = body.photos.map(({ id }: { id: number }) => id)
})

const tile = (page: Page, place: number): Locator => page.locator(`[data-photo="${ids[place]}"]`)
const bar = (page: Page): Locator => page.getByRole('region', { name: 'Selected photos' })
const loadState = async (place: number) => {
  const { body } = await admin.get(`/api/admin/photos/${event.id}/photo/${ids[place]}`, { accept: 'application/json' })
  return [body.visibility, body.awaits_review]
}

const undo = (page: Page, hasText: string) =>
  page.locator('.notice', { hasText }).getByRole('button', { name: 'Undo' }).click()

async function openQueue(device: 'phone' | 'desktop' = 'desktop') {
  const here = await adminApp.open(`/events/${event.id}?review=waiting&sort=manual`, { device })
  await tile(here.page, 0).waitFor()
  return here
}

test('uploads are reviewed on their tile, in the menu and in the bar', async () => {
  const { page, pageErrors } = await openQueue()
  await tile(page, 0).getByText('From Grandma Lis', { exact: true }).waitFor()
  expect(
    await tile(page, 0)
      .locator('img')
      .last()
      .evaluate((image) => getComputedStyle(image).filter),
  ).toBe('none')
  expect(await page.getByText('Drag photos to their place').count()).toBe(0)
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Keep hidden: party-1.jpg' }).click()
  await undo(page, '1 photo stays hidden from guests.')
  await tile(page, 0).waitFor()
  expect(await loadState(0)).toEqual(['hidden', true])
  await tile(page, 0).focus()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Show: party-1.jpg')
  await page.keyboard.press('Enter')
  await undo(page, '1 photo visible to guests.')
  await expect.poll(() => loadState(0)).toEqual(['hidden', true])
  await tile(page, 0).locator('[data-act=hidden]').click()
  await tile(page, 0).waitFor({ state: 'detached' })
  // The second click of a double click meets the next tile.
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await loadState(1)).toEqual(['hidden', true])

  await tile(page, 1).click({ button: 'left' })
  await page.keyboard.press('Shift+F10')
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(
    expect.arrayContaining(['Show', 'Keep hidden', 'Move to trash']),
  )
  await page.getByRole('menuitem', { name: 'Keep hidden' }).click()
  await tile(page, 1).waitFor({ state: 'detached' })

  await tile(page, 2).click()
  await bar(page).getByRole('button', { name: 'Keep hidden' }).click()
  await tile(page, 2).waitFor({ state: 'detached' })
  expect(await Promise.all([0, 1, 2].map(loadState))).toEqual([0, 1, 2].map(() => ['hidden', false]))
  expect(pageErrors).toEqual([])
})

test('on a phone uploads are reviewed one after the other in the viewer, and no notice covers a button', {
  tags: 'nightly',
}, async () => {
  const { page, pageErrors } = await openQueue('phone')
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await tile(page, 0).locator('.photo-ground').tap()
  const viewer = page.getByRole('dialog')
  await viewer.getByText('From Grandma Lis', { exact: true }).waitFor()
  await expectNoAxeFindings(page)
  await viewer.getByRole('button', { name: 'Show', exact: true }).click()
  await viewer.getByRole('heading', { name: 'party-2.jpg' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show')
  // The second click of a double click meets the button for the next photo, which has the focus.
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  expect(await loadState(1)).toEqual(['hidden', true])
  await viewer.getByRole('button', { name: 'Keep hidden' }).tap()
  await viewer.getByRole('heading', { name: 'party-3.jpg' }).waitFor()
  expect(await Promise.all([0, 1].map(loadState))).toEqual([
    ['visible', false],
    ['hidden', false],
  ])
  await page.keyboard.press('Escape')
  await tile(page, 2).locator('[data-act=visible]').tap()
  await tile(page, 2).waitFor({ state: 'detached' })
  await page.locator('.notice:visible').waitFor()
  const notices = (await page.locator('.notice:visible').boundingBox()) ?? { y: 0, height: Infinity }
  const top = (await page.locator('.top').boundingBox()) ?? { height: 0 }
  expect(notices.y + notices.height).toBeLessThanOrEqual(top.height)
  await page.getByRole('button', { name: 'Menu' }).click({ trial: true })
  // The menu of all photos is in a row with the other tools.
  const rows = [page.getByLabel('Thumbnail size'), page.locator('.photo-tools [aria-haspopup=menu]')]
  const [tools = 0, menu = 0] = await Promise.all(
    rows.map(async (control) => {
      const { y, height } = (await control.boundingBox()) ?? { y: 0, height: 0 }
      return y + height / 2
    }),
  )
  expect(Math.abs(menu - tools)).toBeLessThan(2)
  expect(pageErrors).toEqual([])
})
