import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../../support/browser/axe.ts'
import { chromiumForFile, type Device, waitForHistory, waitForScript } from '../../support/browser/guest-page.ts'
import { hasFocus } from '../../support/browser/input-methods.ts'
import { redPicture } from '../../support/browser/red-area.ts'
import { longPress } from '../../support/browser/touch-gestures.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
const guests = await chromiumForFile()

async function createGallery(body: Record<string, unknown>) {
  const event = await createEvent(api, { default_photo_sort: 'upload_date_asc', keep_versions: true, ...body })
  const photoId: number = (await api.upload(event.id, await retouch(1), { name: 'arch.jpg' })).body.id
  return { event, photoId }
}

type Gallery = Awaited<ReturnType<typeof createGallery>>

const retouch = async (brightness: number, width = 900) =>
  Buffer.from(
    await sharp(await redPicture())
      .resize(width, 1200, { fit: 'cover' })
      .modulate({ brightness })
      .jpeg()
      .toBuffer(),
  )

async function addVersion({ event, photoId }: Gallery, picture: Buffer<ArrayBuffer>, note = ''): Promise<void> {
  const form = new FormData()
  form.append('note', note)
  form.append('photo', new Blob([picture], { type: 'image/jpeg' }), 'arch.jpg')
  const added = await api.call('POST', `/api/v1/events/${event.id}/photos/${photoId}/versions`, { body: form })
  expect(added.status).toBe(201)
}

const listDecisions = async ({ event }: Gallery) =>
  (await admin.get(`/api/admin/events/${event.id}/decisions`)).body.photos[0]

async function open({ share_url }: TestEvent, photoId: number, device: Device, small = {}) {
  const { page, pageErrors } = await guests.open(`${share_url}?photo=${photoId}`, device, small)
  await waitForScript(page, true)
  const viewer = page.getByRole('dialog', { name: 'Photo viewer' })
  const button = (name: string | RegExp) => viewer.getByRole('button', { name, exact: true })
  const sheet = page.locator('dialog[open]')
  return { page, pageErrors, button, sheet, notice: page.locator('.notices') }
}

const pathOfPicture = (page: Page) =>
  page
    .locator('.pswp__item[aria-hidden="false"] .pswp__img')
    .last()
    .evaluate((image: HTMLImageElement) => image.currentSrc)

async function nameGuest(page: Page): Promise<void> {
  await page.getByText('Your photographer needs to know who decides').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Ana')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

test('on a phone: changes wanted, the next version arrives, it is held, compared and approved, and marks stay in place', async () => {
  const gallery = await createGallery({ allow_annotations: true })
  const { event, photoId } = gallery
  const { page, pageErrors, button, sheet, notice } = await open(event, photoId, 'phone', {
    viewport: { width: 360, height: 740 },
  })
  await button('Approve…').tap()
  for (const name of ['Approve', 'Approve with small changes', 'Changes wanted']) {
    expect((await button(name).boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  await expectNoAxeFindings(page)
  await button('Changes wanted').tap()
  await nameGuest(page)
  const words = sheet.getByLabel('What should be changed?')
  expect(await sheet.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
  await words.fill('Please remove the sign')
  await sheet.getByRole('button', { name: 'Send' }).tap()
  await notice.getByText('what you want changed').waitFor()
  expect(await listDecisions(gallery)).toMatchObject({ version: 1, state: 'changes_wanted' })
  const pin = await page.evaluate(async (path) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ kind: 'pin', x: 300_000, y: 300_000, text: 'Here' })
    return (await fetch(path, { method: 'POST', headers, body })).status
  }, `/api/gallery/${event.slug}/photos/${photoId}/threads`)
  expect(pin).toBe(200)

  // The page stays open while the photographer works.
  await addVersion(gallery, await retouch(1.3), 'The sign is gone')
  await button('Close').tap()
  await waitForHistory(page)
  await page.locator(`[data-photo="${photoId}"]`).tap()
  await button('Version 2 of 2').waitFor()
  await expect.poll(() => pathOfPicture(page)).toContain('version=2')
  await button('Pin 1 of 1, upper left, open, from version 1').waitFor()
  const earlier = page.getByRole('img', { name: 'Version 1', exact: true })
  await expectNoAxeFindings(page)
  await longPress(button('Version 2 of 2'), earlier)
  await earlier.waitFor({ state: 'hidden' })
  expect(await sheet.count()).toBe(0)

  await button('Version 2 of 2').tap()
  await sheet.getByText('The sign is gone').waitFor()
  await expectNoAxeFindings(page)
  await sheet.getByRole('button', { name: 'Compare with version 2' }).tap()
  const compared = page.getByRole('dialog', { name: 'Compare' })
  const views = () =>
    compared
      .locator('.compare-picture')
      .evaluateAll((images) => images.map((image) => `${(image as HTMLImageElement).style.transform}`))
  await compared.getByRole('button', { name: 'Zoom in' }).tap()
  await expect.poll(async () => new Set(await views()).size).toBe(1)
  expect(await views()).toEqual([expect.stringContaining('scale(1.5)'), expect.stringContaining('scale(1.5)')])
  await expectNoAxeFindings(page)
  await compared.getByRole('button', { name: 'Close' }).tap()

  await button('Approve…').tap()
  await button('Approve').tap()
  await notice.getByText('Approved. Your photographer is told.').waitFor()
  await expect.poll(() => hasFocus(button('Approved'))).toBe(true)
  expect(await listDecisions(gallery)).toMatchObject({ version: 2, state: 'approved' })

  // Marks of another shape are only on the version that they were made on.
  await addVersion(gallery, await retouch(1.3, 1200))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await button('Version 3 of 3').tap()
  expect(await button(/^Pin 1/).count()).toBe(0)
  await sheet.getByRole('button', { name: 'Show version 1' }).tap()
  await button(/^Pin 1/).waitFor()
  const [picture, dot] = [await earlier.boundingBox(), await button(/^Pin 1/).boundingBox()]
  // The earlier picture is 900 by 1200 pixels, in the square of the newest one.
  const left = (picture?.x ?? 0) + (picture?.width ?? 0) * (0.125 + 0.75 * 0.3)
  expect(Math.abs((dot?.x ?? 0) + 22 - left)).toBeLessThan(2)
  await button('Show version 3').tap()
  await button('Approve…').waitFor()
  expect(pageErrors).toEqual([])
})

test('on a desktop, by keyboard: a newer version arrives while words are typed, a taken back decision, nothing in other galleries', async () => {
  const gallery = await createGallery({ allow_comments: false })
  const { event, photoId } = gallery
  await addVersion(gallery, await retouch(1.3))
  const { page, pageErrors, button, sheet, notice } = await open(event, photoId, 'desktop', { colorScheme: 'dark' })
  const words = sheet.getByLabel('What should be changed?')
  await button('Changes wanted').press('Enter')
  await nameGuest(page)
  await expect.poll(() => hasFocus(words)).toBe(true)
  await page.keyboard.type('Brighter, please')
  await addVersion(gallery, await retouch(1.5))
  await page.keyboard.press('Control+Enter')
  await notice.getByText('A newer version has just arrived').waitFor()
  await sheet.waitFor({ state: 'detached' })
  await button('Version 3 of 3').waitFor()
  await expect.poll(() => pathOfPicture(page)).toContain('version=3')
  expect((await listDecisions(gallery)).decisions).toEqual([])
  await button('Changes wanted').press('Enter')
  expect(await words.inputValue()).toBe('Brighter, please')
  await words.press('Control+Enter')
  await notice.getByText('what you want changed').waitFor()
  expect(await listDecisions(gallery)).toMatchObject({ version: 3, state: 'changes_wanted' })

  // The words are a note, which the guest also finds where there are no other notes.
  await button('Note to the photographer').press('Enter')
  await sheet.getByText('Brighter, please').waitFor()
  await sheet.getByRole('button', { name: 'Answer', exact: true }).waitFor()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')

  const before = page.getByRole('img', { name: 'Version 2', exact: true })
  await page.keyboard.down('v')
  await before.waitFor()
  await page.keyboard.up('v')
  await before.waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await sheet.getByText('Version before, while held').waitFor()
  await page.keyboard.press('Escape')

  await page.route('**/decision', (route) => route.abort())
  await button('Approve').press('Enter')
  await notice.getByText('No connection').waitFor()
  await page.unroute('**/decision')
  await button('Approve').press('Enter')
  await page.locator('.approved[aria-pressed="true"]').press('Enter')
  await notice.getByText('Decision taken back.').waitFor()
  expect((await listDecisions(gallery)).decisions).toEqual([])
  await expectNoAxeFindings(page)
  expect(pageErrors.filter((text) => !text.match(/ERR_FAILED|409/))).toEqual([])

  const plain = await createGallery({ keep_versions: false })
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await page.goto(`${plain.event.share_url}?photo=${plain.photoId}`)
  await expect.poll(() => pathOfPicture(page)).toContain('w=')
  await page.waitForLoadState('networkidle')
  expect(paths.filter((path) => /version/.test(path))).toEqual([])
  expect(await page.locator('#gallery-data').textContent()).not.toContain('"version')
})
