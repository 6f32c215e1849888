import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chooseFromMenu, chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { hasFocus } from '../support/browser/input-methods.ts'
import { longPress } from '../support/browser/touch-gestures.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { readArchiveFiles } from '../support/media/read-archive.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const guests = await chromiumForFile()

/** Creates an event whose photos are in the order of their upload. */
async function createEventWith(count: number, body: Record<string, unknown> = {}): Promise<TestEvent> {
  const event = await createEvent(service.api, { default_photo_sort: 'upload_date_asc', ...body })
  await uploadPhotos(service.api, event.id, count)
  return event
}

const listSelected = (page: Page): Promise<string[]> =>
  page
    .getByRole('checkbox', { checked: true })
    .evaluateAll((photos) =>
      photos.map((photo) => photo.textContent || photo.querySelector('img[srcset]')?.getAttribute('alt') || ''),
    )

const readZip = async (page: Page, button: string | RegExp): Promise<string[]> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: button }).click(),
  ])
  return [...readArchiveFiles(await readFile(await download.path())).keys()]
}

test('a guest selects a range by keyboard, gets its size announced, and downloads exactly these photos', {
  tags: 'nightly',
}, async () => {
  const event = await createEventWith(8)
  const { page, pageErrors } = await guests.open(event.share_url, 'desktop')
  await waitForScript(page)
  await chooseFromMenu(page, 'Select photos')
  const bar = page.getByRole('region', { name: 'Selected photos' })
  await bar.getByText('Tap the photos you want.').waitFor()
  await expectNoAxeFindings(page)

  await page.getByRole('checkbox', { name: 'Photo 2 of 8' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Space')
  await bar.getByText('4 selected').waitFor()
  // Deselects a photo with Enter instead of Space.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await bar.getByText('3 selected').waitFor()
  expect(await listSelected(page)).toEqual(['Photo 2 of 8', 'Photo 3 of 8', 'Photo 5 of 8'])
  await expectNoAxeFindings(page)

  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Download photos' })
  await dialog.getByText(/^3 photos, [\d.]+ kB$/).waitFor()
  await dialog.getByText('you can resume the download').waitFor()
  await expectNoAxeFindings(page)
  expect(await readZip(page, 'Download ZIP')).toEqual(['photo-2.jpg', 'photo-3.jpg', 'photo-5.jpg'])
  await dialog.getByText('The download has started').waitFor()

  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const touched = page.getByRole('checkbox', { name: 'Photo 4 of 8' })
  await expect.poll(() => hasFocus(touched)).toBe(true)
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  expect(await page.getByRole('checkbox').count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('on a phone a long press starts a selection, which is picked and unpicked at once', {
  tags: 'nightly',
}, async () => {
  const event = await createEventWith(5, { feedback_enabled: true })
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  const bar = page.getByRole('region', { name: 'Selected photos' })
  await longPress(page.getByRole('img', { name: 'Photo 2 of 5' }), bar)
  await bar.getByText('1 selected').waitFor()
  await page.getByRole('checkbox', { name: 'Photo 4 of 5' }).tap()
  await page.getByRole('checkbox', { name: 'Photo 5 of 5' }).tap()
  await page.getByRole('checkbox', { name: 'Photo 4 of 5' }).tap()
  await bar.getByText('2 selected').waitFor()
  await expectNoAxeFindings(page)

  await bar.getByRole('button', { name: 'Pick' }).tap()
  await page.getByText('2 photos picked').waitFor()
  expect(await bar.count()).toBe(0)
  await page.getByRole('link', { name: '2 picks' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.getByRole('link', { name: 'No picks yet' }).waitFor()

  await chooseFromMenu(page, 'Select photos')
  await bar.getByRole('button', { name: 'Select all' }).tap()
  await bar.getByText('5 selected').waitFor()
  await bar.getByRole('button', { name: 'Clear' }).tap()
  expect(await bar.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true)
  await bar.getByRole('button', { name: 'Exit selection' }).tap()
  await bar.waitFor({ state: 'detached' })
  expect(pageErrors).toEqual([])
})

test('a download reports a lost connection and resumes; a gallery without downloads offers none', {
  tags: 'nightly',
}, async () => {
  const event = await createEventWith(2)
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForScript(page, true)
  // Opens the dialog once, so that its code is loaded before the connection is lost.
  await chooseFromMenu(page, 'Download all')
  await page.getByRole('button', { name: 'Close' }).tap()
  await page.context().setOffline(true)
  await chooseFromMenu(page, 'Download all')
  await page.getByText("No connection. The download continues when you're back online.").waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Download ZIP' }).waitFor()

  await service.api.patch(`/api/v1/events/${event.id}`, { allow_downloads: false })
  await page.getByRole('button', { name: 'Close' }).tap()
  await chooseFromMenu(page, 'Download all')
  await page.getByText('Your photographer has turned off downloads for these photos.').waitFor()
  await page.reload()
  await waitForScript(page, true)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Download all' }).count()).toBe(0)
})

test('a download waits for photos in preparation, counts withheld ones, and can have the own picks in a smaller size', {
  tags: 'nightly',
}, async () => {
  const event = await createEventWith(2, { feedback_enabled: true, download_max_px: 1500 })
  const createCategory = async (name: string, allow_downloads: boolean) =>
    (await service.admin.post('/api/admin/categories', { name, event_id: event.id, allow_downloads })).body.id
  const large = await jpeg({ width: 1600, height: 1000, seed: 7 })
  const upload = async (name: string, category_id: number) =>
    service.api.upload(event.id, large, { name, fields: { category_id: String(category_id) } })
  await upload('large.jpg', await createCategory('Party', true))
  await upload('kept.jpg', await createCategory('To look at', false))
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page, true)
  await chooseFromMenu(page, 'Download all')
  const dialog = page.getByRole('dialog', { name: 'Download photos' })
  await dialog.getByText('3 photos', { exact: true }).waitFor()
  await dialog.getByText('Preparing: 2 of 3').waitFor()
  await dialog.getByText('1 more photo is view-only').waitFor()
  await expectNoAxeFindings(page)
  expect(await readZip(page, 'Download ZIP')).toEqual(['photo-1.jpg', 'photo-2.jpg', 'Party/large.jpg'])
  await dialog.getByRole('button', { name: 'Close' }).tap()

  await page.getByRole('button', { name: 'Pick Photo 1 of 4' }).tap()
  await page.getByRole('button', { name: 'Pick Photo 3 of 4' }).tap()
  await page.getByRole('link', { name: '2 picks' }).waitFor()
  await chooseFromMenu(page, 'Download…')
  await dialog.getByText('My picks (2)').tap()
  await dialog.getByText(/^2 photos, /).waitFor()
  await expectNoAxeFindings(page)
  await dialog.getByText('Small (1280 px)').tap()
  await dialog.getByText('Preparing: 1 of 2').waitFor()
  expect(await readZip(page, /^Download ZIP \([\d.]+ kB\)$/)).toEqual(['photo-1.jpg', 'Party/large.jpg'])
  await dialog.getByRole('button', { name: 'Close' }).tap()

  // Where the picks are shown, they are chosen.
  await page.getByRole('link', { name: '2 picks' }).tap()
  await page.getByRole('img', { name: 'Photo 2 of 2' }).waitFor()
  await chooseFromMenu(page, 'Download my picks')
  await dialog.getByText(/^2 photos, /).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).tap()

  // Where a category is shown, it is chosen.
  await page.getByRole('link', { name: 'All', exact: true }).tap()
  await page.getByRole('link', { name: 'Party' }).tap()
  await page.getByRole('img', { name: 'Photo 1 of 1' }).waitFor()
  await chooseFromMenu(page, 'Download…')
  expect(await dialog.getByRole('radio', { name: 'Party' }).isChecked()).toBe(true)
  await dialog.getByText('1 photo', { exact: false }).first().waitFor()
  expect(await readZip(page, /^Download ZIP/)).toEqual(['Party/large.jpg'])
  // The gallery requests a picture in preparation again.
  expect(pageErrors.filter((text) => !/status of 503/.test(text))).toEqual([])
})

type ShareSheet = { shared: string[]; opens: boolean }

test('the share sheet of a phone, or the download instead, has the right file name and type', async () => {
  const event = await createEvent(service.api)
  await service.api.upload(event.id, await jpeg(), { name: 'Zoë.html' })
  const { page, pageErrors } = await guests.openBlankPage(new URL(event.share_url).origin, 'phone')
  // This Chromium has no share sheet, so a fake one records what it gets.
  await page.addInitScript(() => {
    const sheet: ShareSheet = { shared: [], opens: true }
    const share = async ({ files = [] }: ShareData) => {
      if (!sheet.opens) throw new DOMException('', 'NotAllowedError')
      sheet.shared.push(...files.map(({ name, type }) => `${name} ${type}`))
    }
    Object.assign(window, { sheet })
    Object.assign(Navigator.prototype, { canShare: () => true, share })
  })
  await page.goto(event.share_url)
  await waitForScript(page, true)
  await page.getByRole('img', { name: 'Photo 1 of 1' }).tap()
  const save = page.getByRole('link', { name: 'Save photo' })
  await save.tap()
  const shared = () => page.evaluate(() => (window as unknown as { sheet: ShareSheet }).sheet.shared)
  await expect.poll(shared).toEqual(['Zoë.jpg image/jpeg'])

  await page.evaluate(() => {
    ;(window as unknown as { sheet: ShareSheet }).sheet.opens = false
  })
  const [download] = await Promise.all([page.waitForEvent('download'), save.tap()])
  expect(download.suggestedFilename()).toBe('Zoë.jpg')

  // Several photos go to the photos of the phone, 25 at a time.
  for (let seed = 1; seed <= 26; seed++) {
    await service.api.upload(event.id, await jpeg({ seed }), { name: `DSC_${seed}.jpg` })
  }
  await page.goto(event.share_url)
  await waitForScript(page)
  await page.evaluate(() => {
    ;(window as unknown as { sheet: ShareSheet }).sheet.opens = true
  })
  await chooseFromMenu(page, 'Select photos')
  await page.getByRole('button', { name: 'Select all' }).tap()
  await page.getByRole('region', { name: 'Selected photos' }).getByRole('button', { name: 'Download' }).tap()
  await page.getByRole('button', { name: 'Load the photos' }).tap()
  await page.getByRole('button', { name: 'Save 25 photos' }).tap()
  await page.getByRole('button', { name: 'Save 2 photos' }).tap()
  await page.getByText('Done. All photos went to the app that you chose.').waitFor()
  const names = ['Zoë.jpg', ...Array.from({ length: 26 }, (_, index) => `DSC_${index + 1}.jpg`)]
  expect((await shared()).toSorted()).toEqual(names.map((name) => `${name} image/jpeg`).toSorted())
  await expectNoAxeFindings(page)

  // So do the photos of a category that is shown.
  const { body: finals } = await service.admin.post('/api/admin/categories', { name: 'Finals', event_id: event.id })
  await service.api.upload(event.id, await jpeg({ seed: 31 }), {
    name: 'Final.jpg',
    fields: { category_id: String(finals.id) },
  })
  await page.goto(`${event.share_url}?category_id=${finals.id}`)
  await waitForScript(page, true)
  await chooseFromMenu(page, 'Download all')
  await page.getByRole('button', { name: 'Load the photos' }).tap()
  await page.getByRole('button', { name: 'Save 1 photo' }).tap()
  await page.getByText('Done. All photos went to the app that you chose.').waitFor()
  expect((await shared()).at(-1)).toBe('Final.jpg image/jpeg')
  expect(pageErrors).toEqual([])
})
