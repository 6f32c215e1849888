import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chooseFromMenu, chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const guests = await chromiumForFile()

async function openGallery(body: Record<string, unknown>): Promise<{ page: Page; event: TestEvent }> {
  const event = await createEvent(api, { header_style: 'minimal', ...body })
  await uploadPhotos(api, event.id, 11)
  // The first photo is larger than its thumbnail.
  await api.upload(event.id, await jpeg({ width: 900, height: 600 }), { name: 'large.jpg' })
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  return { page, event }
}

const heart = (page: Page, number: number) => page.getByRole('button', { name: `Pick Photo ${number} of 12` })

const messages = ['.toast', '.waiting', '.pill', '.selection-bar', '.sheet']
const viewerMessages = ['.viewer-bar', '.viewer-note', '.toast', '.waiting']

/** Returns the visible messages, and throws if two of them overlap. */
const listMessages = (page: Page, ofParts = messages): Promise<string[]> =>
  page.evaluate((selectors) => {
    const seen = selectors.flatMap((selector) =>
      [...document.querySelectorAll(selector)].flatMap((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect()
        const isVisible = right > left && part.checkVisibility({ visibilityProperty: true })
        return isVisible ? [{ selector, left, right, top, bottom }] : []
      }),
    )
    for (const [index, one] of seen.entries()) {
      for (const other of seen.slice(index + 1)) {
        const isApart =
          one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top
        if (!isApart) throw new Error(`${one.selector} and ${other.selector} overlap`)
      }
    }
    return seen.map(({ selector }) => selector)
  }, ofParts)

const expectMessages = (page: Page, expected: string[], ofParts = messages) =>
  expect.poll(() => listMessages(page, ofParts)).toEqual(expected)

test('ten picks take ten taps, and one to send them; then there is one quiet line', async () => {
  const { page, event } = await openGallery({ ask_guest_name: true })
  await page.evaluate(() => {
    Object.assign(window, { taps: 0 })
    addEventListener('pointerup', () => Object.assign(window, { taps: Reflect.get(window, 'taps') + 1 }), true)
  })
  const countTaps = () => page.evaluate(() => Reflect.get(window, 'taps'))
  await heart(page, 1).tap()
  await page.getByText('Your photographer then knows whose picks these are.').waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).tap()
  for (let number = 2; number <= 10; number++) await heart(page, number).tap()
  await page.getByRole('link', { name: '10 picks' }).waitFor()
  const skipTaps = 1
  expect((await countTaps()) - skipTaps).toBe(10)

  await page.getByRole('button', { name: 'Send to photographer' }).tap()
  await page.getByRole('button', { name: 'Send my picks' }).tap()
  await page.getByText('Sending 10 picks…').waitFor()
  await expectMessages(page, ['.waiting', '.pill'])
  await expectNoAxeFindings(page)
  await page.getByText('Selection 1 sent: 10 photos.').waitFor()
  expect((await countTaps()) - skipTaps).toBe(12)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await expectMessages(page, ['.pill'])
  expect(await page.locator('.sent-note').count()).toBe(1)
  const { body } = await admin.get(`/api/admin/events/${event.id}/selections`)
  expect(body.selections).toMatchObject([{ number: 1, count: 10 }])
  // The question for a name does not come again.
  await page.reload()
  await waitForScript(page)
  await heart(page, 11).tap()
  await page.getByRole('link', { name: '11 picks' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('messages, bars and dialogs never cover each other, and a removed pick can be restored', {
  tags: 'nightly',
}, async () => {
  const { page } = await openGallery({ require_guest_name: true })
  await heart(page, 1).tap()
  await expectMessages(page, ['.sheet'])
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ana')
  await dialog.getByRole('button', { name: 'Save' }).tap()
  await expectMessages(page, ['.pill'])
  await heart(page, 1).tap()
  await page.locator('.toast').getByText('Removed from picks').waitFor()
  await expectMessages(page, ['.toast', '.pill'])
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap()
  await page.getByRole('link', { name: '1 pick' }).waitFor()

  // Loads the code for selecting before the connection is lost.
  await chooseFromMenu(page, 'Select photos')
  await page.locator('.selection-bar').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.selection-bar').waitFor({ state: 'detached' })
  await page.context().setOffline(true)
  await heart(page, 2).tap()
  await page.locator('.waiting').waitFor()
  await heart(page, 3).tap()
  await heart(page, 3).tap()
  await expectMessages(page, ['.toast', '.waiting', '.pill'])
  await expectNoAxeFindings(page)

  await page.getByRole('link', { name: 'Photo 1 of 12' }).tap()
  await page.getByText("The photo will load when you're back online.").waitFor()
  const viewer = page.getByRole('dialog')
  await viewer.getByRole('button', { name: 'Pick', exact: true }).tap()
  await page.locator('.toast').getByText('Removed from picks').waitFor()
  await expectMessages(page, ['.viewer-bar', '.viewer-bar', '.viewer-note', '.toast', '.waiting'], viewerMessages)
  await viewer.getByRole('button', { name: 'Close' }).tap()
  await viewer.waitFor({ state: 'detached' })
  await chooseFromMenu(page, 'Select photos')
  await expect.poll(() => listMessages(page)).toEqual(expect.arrayContaining(['.waiting', '.selection-bar']))
})
