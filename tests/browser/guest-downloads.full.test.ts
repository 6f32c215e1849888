import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { createLargeGallery } from '../support/fixtures/large-gallery.ts'
import { jpeg } from '../support/media/pictures.ts'
import { readArchiveFiles } from '../support/media/read-archive.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const guests = await chromiumForFile()

/** Creates an event whose photos are in the order of their upload. */
async function createEventWith(count: number, body: Record<string, unknown> = {}): Promise<TestEvent> {
  const event = await createEvent(service.api, { default_photo_sort: 'upload_date_asc', ...body })
  await uploadPhotos(service.api, event.id, count)
  return event
}

async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name, exact: true }).click()
}

const listSelected = (page: Page): Promise<string[]> =>
  page
    .getByRole('checkbox', { checked: true })
    .evaluateAll((photos) =>
      photos.map((photo) => photo.textContent || photo.querySelector('img[srcset]')?.getAttribute('alt') || ''),
    )

const readZipNames = async (page: Page, button: string): Promise<string[]> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: button }).click(),
  ])
  return [...readArchiveFiles(await readFile(await download.path())).keys()]
}

test('a guest selects a range by keyboard, gets its size announced, and downloads exactly these photos', async () => {
  const event = await createEventWith(8)
  const { page, pageErrors } = await guests.open(event.share_url, 'desktop')
  await waitForScript(page)
  await fromMenu(page, 'Select photos')
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
  expect(await readZipNames(page, 'Download ZIP')).toEqual(['photo-2.jpg', 'photo-3.jpg', 'photo-5.jpg'])
  await dialog.getByText('The download has started').waitFor()

  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const touched = page.getByRole('checkbox', { name: 'Photo 4 of 8' })
  await expect.poll(() => touched.evaluate((photo) => photo === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  expect(await page.getByRole('checkbox').count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('on a phone a long press starts a selection, which is picked and unpicked at once', async () => {
  const event = await createEventWith(5, { feedback_enabled: true })
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  await longPress(page, 'Photo 2 of 5')
  const bar = page.getByRole('region', { name: 'Selected photos' })
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

  await fromMenu(page, 'Select photos')
  await bar.getByRole('button', { name: 'Select all' }).tap()
  await bar.getByText('5 selected').waitFor()
  await bar.getByRole('button', { name: 'Clear' }).tap()
  expect(await bar.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true)
  await bar.getByRole('button', { name: 'Exit selection' }).tap()
  await bar.waitFor({ state: 'detached' })
  expect(pageErrors).toEqual([])
})

test('a download waits for photos in preparation, and counts the withheld ones', async () => {
  const event = await createEventWith(3, { download_max_px: 500 })
  const { body: category } = await service.admin.post('/api/admin/categories', {
    name: 'To look at',
    event_id: event.id,
    allow_downloads: false,
  })
  const large = await jpeg({ width: 900, height: 600, seed: 7 })
  await service.api.upload(event.id, large, { name: 'large.jpg' })
  await service.api.upload(event.id, large, { name: 'kept.jpg', fields: { category_id: category.id } })
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  await fromMenu(page, 'Download all')
  const dialog = page.getByRole('dialog', { name: 'Download photos' })
  await dialog.getByText('4 photos', { exact: true }).waitFor()
  await dialog.getByText('Preparing: 3 of 4').waitFor()
  await dialog.getByText('1 more photo is view-only').waitFor()
  await expectNoAxeFindings(page)
  const names = await readZipNames(page, 'Download ZIP')
  expect(names).toEqual(['photo-1.jpg', 'photo-2.jpg', 'photo-3.jpg', 'large.jpg'])
  expect(pageErrors).toEqual([])
})

test('a download reports a lost connection and resumes; a gallery without downloads offers none', async () => {
  const event = await createEventWith(2)
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForScript(page, true)
  // Opens the dialog once, so that its code is loaded before the connection is lost.
  await fromMenu(page, 'Download all')
  await page.getByRole('button', { name: 'Close' }).tap()
  await page.context().setOffline(true)
  await fromMenu(page, 'Download all')
  await page.getByText("No connection. The download continues when you're back online.").waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Download ZIP' }).waitFor()

  await service.api.patch(`/api/v1/events/${event.id}`, { allow_downloads: false })
  await page.getByRole('button', { name: 'Close' }).tap()
  await fromMenu(page, 'Download all')
  await page.getByText('Your photographer has turned off downloads for these photos.').waitFor()
  await page.reload()
  await waitForScript(page, true)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Download all' }).count()).toBe(0)
})

test('more than 500 photos are one ZIP when all are shown, and otherwise come in equal parts', async () => {
  const event = await createLargeGallery(service, { photos: 1_200, pictures: 2, longEdgePx: 300 })
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  await fromMenu(page, 'Select photos')
  const bar = page.getByRole('region', { name: 'Selected photos' })
  await bar.getByRole('button', { name: 'Select all' }).tap()
  await bar.getByText('1,200 selected').waitFor()
  await bar.getByRole('button', { name: 'Download' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Download photos' })
  // Most photos are copied rows without files, as if the files were lost.
  await dialog.getByText(/^2 photos, /).waitFor()
  await dialog.getByText("1,198 photos aren't available right now and aren't included; the ZIP lists them.").waitFor()
  expect(await dialog.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
    [`/api/gallery/${event.slug}/download-all`],
  )
  await dialog.getByRole('button', { name: 'Close' }).tap()

  await page.getByRole('checkbox', { name: 'Photo 2 of 1,200' }).tap()
  await bar.getByRole('button', { name: 'Download' }).tap()
  await dialog.getByText('The download is split into 3 parts.').waitFor()
  for (const number of [1, 2, 3]) await dialog.getByRole('heading', { name: `Part ${number} of 3` }).waitFor()
  await expect.poll(() => dialog.getByText(/^(400|399|398) photos aren't available/).count()).toBe(3)
  await expectNoAxeFindings(page)
  expect(pageErrors).toEqual([])
})

/** Holds a finger longer than a tap. */
async function longPress(page: Page, name: string): Promise<void> {
  const photo = page.getByRole('img', { name })
  await photo.scrollIntoViewIfNeeded()
  const box = await photo.boundingBox()
  if (!box) throw new Error(`${name} is not to be seen`)
  const session = await page.context().newCDPSession(page)
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  // The page recognizes a long press after 450 ms.
  await page.waitForTimeout(700)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('a guest downloads the own picks in a smaller size, in folders', async () => {
  const event = await createEventWith(2, { feedback_enabled: true })
  const { body: category } = await service.admin.post('/api/admin/categories', { name: 'Party', event_id: event.id })
  const large = await jpeg({ width: 1600, height: 1000, seed: 7 })
  await service.api.upload(event.id, large, { name: 'large.jpg', fields: { category_id: category.id } })
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page, true)
  await page.getByRole('button', { name: 'Pick Photo 1 of 3' }).tap()
  await page.getByRole('button', { name: 'Pick Photo 3 of 3' }).tap()
  await page.getByRole('link', { name: '2 picks' }).waitFor()
  await fromMenu(page, 'Download…')
  const dialog = page.getByRole('dialog', { name: 'Download photos' })
  await dialog.getByText(/^3 photos, /).waitFor()
  await dialog.getByText('My picks (2)').tap()
  await dialog.getByText(/^2 photos, /).waitFor()
  await expectNoAxeFindings(page)
  await dialog.getByText('Small (1280 px)').tap()
  await dialog.getByText('Preparing: 1 of 2').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: /^Download ZIP \([\d.]+ kB\)$/ }).click(),
  ])
  const files = readArchiveFiles(await readFile(await download.path()))
  expect([...files.keys()]).toEqual(['photo-2.jpg', 'Party/large.jpg'])
  expect(files.get('Party/large.jpg')?.equals(large)).toBe(false)
  await dialog.getByRole('button', { name: 'Close' }).tap()

  // Where the picks are shown, they are chosen.
  await page.getByRole('link', { name: '2 picks' }).tap()
  await page.getByRole('img', { name: 'Photo 2 of 2' }).waitFor()
  await fromMenu(page, 'Download my picks')
  await dialog.getByText(/^2 photos, /).waitFor()
  expect(pageErrors).toEqual([])
})
