import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import {
  chooseFromMenu,
  chromiumForFile,
  devices,
  measureSidewaysOverflow,
  waitForScript,
  watchShifts,
} from '../support/browser/guest-page.ts'
import { doubleTextSize, listUnreachableControls } from '../support/browser/reachable-controls.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const guests = await chromiumForFile()

const event = await createEvent(api, { welcome_message: 'Thank you.\nHere they are.', event_date: '2026-06-20' })
const { body: category } = await admin.post('/api/admin/categories', { name: 'Guests', event_id: event.id })
await api.patch(`/api/v1/events/${event.id}`, { allow_user_uploads: true, upload_category_id: category.id })
await uploadPhotos(api, event.id, 8)

const phone = devices.phone.viewport
const smallPhone = { width: 320, height: 568 }

const overlays = {
  filters: (page: Page) => page.locator('.filter-opener').click(),
  share: (page: Page) => chooseFromMenu(page, 'Share'),
  'another device': (page: Page) => chooseFromMenu(page, 'Continue on another device'),
  'the own name': (page: Page) => chooseFromMenu(page, 'Your name and email'),
  'all photos as ZIP': (page: Page) => chooseFromMenu(page, 'Download all'),
  'own photos': (page: Page) => chooseFromMenu(page, 'Add photos'),
  sending: async (page: Page) => {
    await page.locator('.pick').first().click()
    await page.locator('.send-picks').click()
  },
  comments: async (page: Page) => {
    await openViewer(page)
    await page.locator('.viewer').getByRole('button', { name: 'Comment' }).click()
  },
}

const openViewer = async (page: Page) => {
  await page
    .locator('.photo')
    .first()
    .click({ position: { x: 20, y: 20 } })
  await page.locator('.pswp--ui-visible .viewer-bar.bottom').waitFor()
}

async function openLarge(viewport: { width: number; height: number }) {
  const guest = await guests.openBlankPage(service.url, 'phone', { viewport })
  await doubleTextSize(guest.page)
  await guest.page.goto(event.share_url)
  await waitForScript(guest.page)
  return guest
}

describe.each([
  ['a phone', phone],
  ['a small phone', smallPhone],
])('with doubled text size on %s', (_name, viewport) => {
  test('filters, menu and counter are reachable, and leave over half of the window to the photos', async () => {
    const { page, pageErrors } = await openLarge(viewport)
    await page.locator('.pick').first().click()
    await page.locator('.send-picks').waitFor()
    const chips = await page.locator('.chips').boundingBox()
    const mine = await page.getByRole('link', { name: 'My picks', exact: true }).boundingBox()
    const [seen, wanted] = [chips, mine].map((box) => (box?.x ?? 0) + (box?.width ?? 0))
    expect(wanted).toBeLessThanOrEqual((seen ?? 0) + 1)
    for (const part of ['#tools', '.picks']) expect(await listUnreachableControls(page.locator(part))).toEqual([])
    const heights = await page.locator('#tools, .pill').evaluateAll((all) => all.map((one) => one.clientHeight))
    expect(heights.reduce((sum, height) => sum + height)).toBeLessThan(viewport.height / 2)
    expect(await measureSidewaysOverflow(page)).toBe(0)
    expect(pageErrors).toEqual([])
  })

  test('nothing in a sheet is unreachable or cut off', async () => {
    for (const [name, open] of Object.entries(overlays)) {
      const { page } = await openLarge(viewport)
      await open(page)
      const sheet = page.locator('dialog[open]')
      await sheet.waitFor()
      await page.waitForLoadState('networkidle')
      expect(await listUnreachableControls(sheet), name).toEqual([])
      const cutPx = await sheet.locator('.sheet-body').evaluate((body) => body.scrollWidth - body.clientWidth)
      expect(cutPx, name).toBe(0)
      await expectNoAxeFindings(page)
      await page.context().close()
    }
  })

  test('the viewer, the comparison and the bar of a selection show all their controls', async () => {
    const { page } = await openLarge(viewport)
    await openViewer(page)
    for (const bar of ['.viewer-bar.top', '.viewer-bar.bottom']) {
      expect(await listUnreachableControls(page.locator(bar))).toEqual([])
      expect((await page.locator(bar).boundingBox())?.height).toBeLessThan(0.2 * viewport.height)
    }
    await page.keyboard.press('c')
    await page.locator('.compare-picture').nth(3).waitFor()
    expect(await listUnreachableControls(page.locator('.compare'))).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('.compare').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator('.viewer').waitFor({ state: 'detached' })
    await chooseFromMenu(page, 'Select photos')
    for (const index of [0, 1]) await page.locator('.photo').nth(index).click()
    expect(await listUnreachableControls(page.locator('.selection-bar'))).toEqual([])
    // The padding of the page follows the height of the bar with a short delay.
    const roomAboveBar = () =>
      page.evaluate(() => {
        const left = Number.parseFloat(getComputedStyle(document.body).paddingBottom)
        return left - (document.querySelector('.selection-bar')?.clientHeight ?? Number.POSITIVE_INFINITY)
      })
    await expect.poll(roomAboveBar).toBeGreaterThanOrEqual(0)
  })
})

test('with doubled text size nothing moves when the script takes over', async () => {
  for (const viewport of [phone, smallPhone, devices.desktop.viewport]) {
    const { page } = await guests.openBlankPage(service.url, 'desktop', { viewport })
    await doubleTextSize(page)
    const shifts = await watchShifts(page)
    await page.goto(event.share_url)
    await waitForScript(page)
    await page.waitForLoadState('networkidle')
    expect(await shifts()).toEqual([])
    expect(await measureSidewaysOverflow(page)).toBe(0)
  }
})

test.each(['light', 'dark'] as const)(
  'with forced colors, %s, states, borders and controls are visible',
  async (colorScheme) => {
    const { page } = await guests.open(event.share_url, 'phone', { forcedColors: 'active', colorScheme })
    await waitForScript(page)
    await page.locator('.pick').first().click()
    await page.locator('.some').waitFor()
    const heartOfCounter = { left: 14, top: 12, width: 20, height: 20 }
    expect(await measureContrast(page.locator('.my-picks'), heartOfCounter)).toBeGreaterThan(60)
    const heartOfPhoto = { left: 12, top: 12, width: 20, height: 20 }
    expect(await measureContrast(page.locator('.pick.on'), heartOfPhoto)).toBeGreaterThan(60)

    await overlays.filters(page)
    await page.locator('dialog[open]').waitFor()
    await waitForAnimations(page)
    const edge = { left: 100, top: 0, width: 4, height: 4 }
    expect(await measureContrast(page.locator('dialog[open]'), edge)).toBeGreaterThan(100)
    await page.keyboard.press('Escape')
    await openViewer(page)
    await waitForAnimations(page)
    await expectContrast(page, '.viewer-bar button:not([aria-disabled]):visible')
    await page.keyboard.press('c')
    await page.locator('.compare-picture').nth(3).waitFor()
    await expectContrast(page, '.compare-head button, .compare-name button')
    await page.keyboard.press('Escape')
    await page.locator('.compare').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator('.viewer').waitFor({ state: 'detached' })

    await chooseFromMenu(page, 'Select photos')
    await page.locator('.photo').nth(1).click()
    const [off, on] = await page
      .locator('.tick')
      .evaluateAll((ticks) => ticks.slice(0, 2).map((tick) => getComputedStyle(tick).backgroundColor))
    expect(on).not.toBe(off)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    const ring = await page
      .locator('.photo:focus-visible')
      .evaluate((photo) => getComputedStyle(photo, '::after').outlineWidth)
    expect(ring).toBe('2px')
  },
)

/** Asserts that the icons of these controls contrast with their background. */
async function expectContrast(page: Page, controls: string): Promise<void> {
  for (const control of await page.locator(controls).all()) {
    const { width = 0, height = 0 } = (await control.boundingBox()) ?? {}
    const middle = { left: Math.floor(width / 2 - 10), top: Math.floor(height / 2 - 10), width: 20, height: 20 }
    const name = (await control.getAttribute('aria-label')) ?? ''
    await expect.poll(() => measureContrast(control, middle), { message: name }).toBeGreaterThan(100)
  }
}

const waitForAnimations = (page: Page): Promise<unknown> =>
  page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))

type Part = { left: number; top: number; width: number; height: number }

/** Returns the difference between the lightest and darkest pixel of an area, from 0 to 255. */
async function measureContrast(shown: Locator, part: Part): Promise<number> {
  const { deviceScaleFactor: scale } = devices.phone
  const pixels = Object.fromEntries(Object.entries(part).map(([side, length]) => [side, length * scale])) as Part
  const { data } = await sharp(await shown.screenshot())
    .extract(pixels)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Math.max(...data) - Math.min(...data)
}
