import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { adminAppForFile, notice } from '../../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../../support/browser/axe.ts'
import { measureSidewaysOverflow } from '../../support/browser/guest-page.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
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

describe('uploads of guests that wait for a review', () => {
  test('leave the selection when an action takes them out of the queue', async () => {
    const { page, pageErrors } = await openQueue()
    await tile(page, 0).click()
    await bar(page).getByRole('button', { name: 'Show', exact: true }).click()
    await tile(page, 0).waitFor({ state: 'detached' })
    await bar(page).waitFor({ state: 'detached' })
    await tile(page, 1).locator('[data-act=check]').click()
    await bar(page).getByText('1 selected').waitFor()
    // At the bottom of the window, although few photos are shown.
    const box = await bar(page).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan((page.viewportSize()?.height ?? 0) - 20)
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
    // Another window takes a selected photo out of the queue.
    await tile(page, 2).locator('[data-act=check]').click()
    await bar(page).getByText('2 selected').waitFor()
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[2]}`, { visibility: 'hidden' })
    await tile(page, 3).locator('[data-act=visible]').click()
    await bar(page).getByText('1 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Move to trash' }).click()
    await notice(page, '1 photo moved to the trash.').waitFor()
    await page.getByText('Nothing left to review').waitFor()
    expect(await Promise.all([0, 2, 3].map(loadState))).toEqual([
      ['visible', false],
      ['hidden', false],
      ['visible', false],
    ])
    expect(pageErrors).toEqual([])
  })

  test('are reviewed on their tile, in the menu and in the bar', async () => {
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

  test('have buttons that no notice covers on a phone', async () => {
    const { page, pageErrors } = await openQueue('phone')
    for (const place of [0, 1]) {
      await tile(page, place)
        .locator(`[data-act=${place === 0 ? 'visible' : 'hidden'}]`)
        .tap()
      await tile(page, place).waitFor({ state: 'detached' })
    }
    await page.locator('.notice:visible').waitFor()
    const notices = (await page.locator('.notice:visible').boundingBox()) ?? { y: 0, height: Infinity }
    const bar = (await page.locator('.top').boundingBox()) ?? { height: 0 }
    expect(notices.y + notices.height).toBeLessThanOrEqual(bar.height)
    await page.getByRole('button', { name: 'Menu' }).click({ trial: true })
    // The menu of all photos is in a row with the other tools.
    const rows = [page.getByLabel('Thumbnail size'), page.locator('.photo-tools [aria-haspopup=menu]')]
    const [tool, menu] = await Promise.all(rows.map((control) => control.boundingBox()))
    expect(Math.abs((menu?.y ?? 0) + (menu?.height ?? 0) / 2 - (tool?.y ?? 0) - (tool?.height ?? 0) / 2)).toBeLessThan(
      2,
    )
    expect(pageErrors).toEqual([])
  })

  test('are reviewed one after the other in the viewer', async () => {
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
    expect(pageErrors).toEqual([])
  })
})
