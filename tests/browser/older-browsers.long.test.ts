import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { createFilesOnDisk } from '../support/browser/drop-files.ts'
import { chromiumForFile, measureSidewaysOverflow, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const guests = await chromiumForFile()
const [category] = (await service.admin.get('/api/admin/categories/global')).body
const event = await createEvent(service.api, { allow_user_uploads: true, upload_category_id: category.id })
await uploadPhotos(service.api, event.id, 40)

/** Opens the gallery in a browser without APIs that are newer than Safari 16.4, as far as they can be removed. */
async function open() {
  const { page, pageErrors } = await guests.openBlankPage(service.url, 'phone')
  await page.addInitScript(() => {
    Reflect.deleteProperty(AbortSignal, 'any')
    Reflect.deleteProperty(Map, 'groupBy')
    Reflect.deleteProperty(URLSearchParams.prototype, 'size')
    for (const name of [
      'popover',
      'popoverTargetElement',
      'showPopover',
      'hidePopover',
      'togglePopover',
      'onbeforetoggle',
    ]) {
      Reflect.deleteProperty(HTMLElement.prototype, name)
    }
  })
  await page.goto(event.share_url)
  await waitForScript(page)
  expect(await page.evaluate(() => ['any' in AbortSignal, 'popover' in document.body])).toEqual([false, false])
  const menu = page.locator('#menu')
  const button = page.getByRole('button', { name: 'More', exact: true })
  const hasFocus = () => button.evaluate((element) => element === document.activeElement)
  return { page, pageErrors, menu, button, hasFocus }
}

/** Clicks without scrolling. `click` of Playwright would scroll to a control that is fixed. */
async function press(target: Locator): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await target.page().mouse.click(x + width / 2, y + height / 2)
}

const layers = (page: Page) => page.evaluate(() => history.state?.layers ?? 0)

const isOnTop = (page: Page) =>
  page.locator('#menu :is(button, a):visible').evaluateAll((all) =>
    all.every((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return one.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }),
  )

test('without popovers the menu opens on top and closes in each way, and its dialogs and uploads work', async () => {
  const { page, pageErrors, menu, button, hasFocus } = await open()
  expect(await menu.isVisible()).toBe(false)
  await page.evaluate(() => scrollTo(0, 700))
  const scrolled = await page.evaluate(() => scrollY)
  const ways: Array<() => Promise<unknown>> = [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => button.dispatchEvent('click'),
  ]
  for (const close of ways) {
    expect(await button.getAttribute('aria-expanded')).toBe('false')
    await press(button)
    await menu.waitFor()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    expect(await isOnTop(page)).toBe(true)
    expect(await measureSidewaysOverflow(page)).toBe(0)
    await expect.poll(() => layers(page)).toBe(1)
    await page.keyboard.press('Tab')
    expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await close()
    await menu.waitFor({ state: 'hidden' })
    expect(await hasFocus()).toBe(true)
    await expect.poll(() => layers(page)).toBe(0)
  }
  expect(await page.evaluate(() => scrollY)).toBe(scrolled)
  await press(button)
  await menu.waitFor()
  await expectNoAxeFindings(page)
  await page.evaluate(async () => {
    const hasScrolled = new Promise((resolve) => document.addEventListener('scroll', resolve, { once: true }))
    scrollBy(0, 300)
    await hasScrolled
    await new Promise(requestAnimationFrame)
  })
  expect(await menu.isVisible()).toBe(true)
  await page.evaluate(() => scrollTo(0, 0))
  // Taps above the menu, which is at the bottom of the window, and above the photos.
  await page.touchscreen.tap(200, 20)
  await menu.waitFor({ state: 'hidden' })
  await expect.poll(() => layers(page)).toBe(0)

  await button.tap()
  await menu.getByRole('button', { name: 'Share', exact: true }).tap()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.waitFor()
  expect(await menu.isVisible()).toBe(false)
  await expect.poll(() => layers(page)).toBe(1)
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await dialog.waitFor({ state: 'hidden' })
  expect(await hasFocus()).toBe(true)
  await expect.poll(() => layers(page)).toBe(0)

  await button.tap()
  await menu.getByRole('button', { name: 'Add photos', exact: true }).tap()
  const upload = page.getByRole('dialog', { name: 'Add photos' })
  await upload
    .getByLabel(/^Choose photos/)
    .setInputFiles(await createFilesOnDisk({ 'mine.jpg': await jpeg({ seed: 77 }) }))
  await upload.getByText('1 added').waitFor()
  expect(pageErrors).toEqual([])
})
