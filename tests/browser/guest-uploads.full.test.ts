import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { createFilesOnDisk } from '../support/browser/drop-files.ts'
import { chooseFromMenu, chromiumForFile, waitForHistory, waitForScript } from '../support/browser/guest-page.ts'
import { hasFocus } from '../support/browser/input-methods.ts'
import { limitUploads } from '../support/browser/network-requests.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { declaredPng, jpeg, jpegOfSize } from '../support/media/pictures.ts'
import { startTcpProxy } from '../support/network/tcp-proxy.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const guests = await chromiumForFile()
const [category] = (await service.admin.get('/api/admin/categories/global')).body

const openEvent = (body: Record<string, unknown> = {}): Promise<TestEvent> =>
  createEvent(service.api, { allow_user_uploads: true, upload_category_id: category.id, ...body })

const photosOf = async ({ id }: TestEvent): Promise<Array<[string, number]>> => {
  const { body } = await service.api.get(`/api/v1/events/${id}/photos?limit=100`)
  return body.photos.map((photo: { original_filename: string; size_bytes: number }) => [
    photo.original_filename,
    photo.size_bytes,
  ])
}

const openDialog = async (page: Page) => {
  await chooseFromMenu(page, 'Add photos')
  return page.getByRole('dialog', { name: 'Add photos' })
}

const choose = (page: Page, paths: string[]): Promise<void> =>
  page.getByLabel(/^Choose (photos|more)/).setInputFiles(paths)

test('small files and one of 11 MB arrive whole, duplicates once, and rejections have a reason', async () => {
  const event = await openEvent()
  await uploadPhotos(service.api, event.id, 4)
  const paths = await createFilesOnDisk({
    'small.jpg': await jpeg({ seed: 11 }),
    'large.jpg': await jpegOfSize(11_000_000, { seed: 12 }),
    'phone.heic': Buffer.from('any'),
    'letter.pdf': Buffer.from('%PDF'),
    'damaged.jpg': Buffer.from('this is no picture'),
    'cut.jpg': (await jpeg({ seed: 13, width: 900, height: 600 })).subarray(0, 1000),
    'huge.png': await declaredPng(20_000, 14_000),
  })
  const { page } = await guests.open(event.share_url, 'desktop')
  await waitForScript(page)
  const dialog = await openDialog(page)
  await dialog.getByText('Your photographer receives them unchanged').waitFor()
  await expectNoAxeFindings(page)
  await choose(page, paths)
  await dialog.getByText('2 added, 5 not accepted').waitFor()
  await dialog.getByText('Your photos are now in the gallery.').waitFor()
  const done = dialog.getByRole('button', { name: 'Done' })
  await expect.poll(() => hasFocus(done)).toBe(true)
  await expectNoAxeFindings(page)
  const reasons = await dialog.locator('dl > div').allInnerTexts()
  expect(reasons.map((text) => text.split('\n')).sort()).toEqual([
    ["The file is damaged and couldn't be read completely.", 'cut.jpg'],
    ['The photo has too many pixels. Save a smaller version.', 'huge.png'],
    ["This file type isn't supported.", expect.stringMatching(/^(letter.pdf, damaged.jpg|damaged.jpg, letter.pdf)$/)],
    [expect.stringMatching(/^This gallery doesn't take HEIC files\. An iPhone converts photos to JPEG/), 'phone.heic'],
  ])
  expect((await photosOf(event)).slice(-2).sort()).toEqual(
    [
      ['large.jpg', 11_000_000],
      ['small.jpg', (await jpeg({ seed: 11 })).length],
    ].sort(),
  )

  await choose(page, paths.slice(0, 2))
  await dialog.getByText('2 added, 2 already chosen, 5 not accepted').waitFor()
  await done.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('img', { name: 'Photo 6 of 6' }).waitFor()
  expect(await photosOf(event)).toHaveLength(6)
})

test('after an upload the heading count and the categories follow, and the guest has the name that was given', {
  tags: 'nightly',
}, async () => {
  const event = await openEvent()
  await uploadPhotos(service.api, event.id, 1)
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page, true)
  const count = page.locator('header .facts')
  const chip = page.getByRole('link', { name: category.name, exact: true })
  expect(await count.innerText()).toMatch(/1 photo$/)
  expect(await chip.count()).toBe(0)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Name (optional)').fill('Zoë')
  await expectNoAxeFindings(page)
  await choose(page, await createFilesOnDisk({ 'a.jpg': await jpeg({ seed: 71 }), 'b.jpg': await jpeg({ seed: 72 }) }))
  await dialog.getByText('2 added', { exact: true }).waitFor()
  await expect.poll(() => guestNames(event)).toEqual(['Zoë'])
  await dialog.getByRole('button', { name: 'Done' }).tap()
  await expect.poll(() => count.innerText()).toMatch(/3 photos$/)
  await openDialog(page)
  await dialog.getByText('Choose more').waitFor()
  expect(await dialog.getByLabel('Name').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Done' }).tap()
  await chip.tap()
  await page.getByRole('img', { name: 'Photo 2 of 2' }).waitFor()
  await page.getByText('2 of 3 photos').waitFor()
  expect(pageErrors).toEqual([])
})

test('a dropped file waits for a name where names are required', { tags: 'nightly' }, async () => {
  const event = await openEvent({ require_guest_name: true })
  await uploadPhotos(service.api, event.id, 1)
  const { page } = await guests.open(event.share_url, 'desktop')
  await waitForScript(page, true)
  const [path = ''] = await createFilesOnDisk({ 'b.jpg': await jpeg({ seed: 82 }) })
  await drop(page, path)
  const form = page.getByRole('dialog', { name: 'Add photos' })
  await form.getByText('Your photographer would like to know who adds photos.').waitFor()
  await form.getByRole('button', { name: 'Next' }).click()
  await form.getByText('Enter your name.').waitFor()
  await expectNoAxeFindings(page)
  expect(await photosOf(event)).toHaveLength(1)
  await form.getByLabel('Name').fill('Ben')
  await page.keyboard.press('Enter')
  await form.getByText('1 added', { exact: true }).waitFor()
  expect(await guestNames(event)).toEqual(['Ben'])
  expect(await photosOf(event)).toHaveLength(2)
})

const guestNames = async ({ id }: TestEvent) =>
  (await service.admin.get(`/api/admin/events/${id}/guests`)).body.guests.map(({ name }: { name: string }) => name)

test('returning to the page later shows added photos, and nothing visible has moved', { tags: 'nightly' }, async () => {
  const event = await openEvent({ default_photo_sort: 'upload_date_desc' })
  await uploadPhotos(service.api, event.id, 30)
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await waitForScript(page)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
  const ids = () =>
    page.locator('#grid [data-photo]').evaluateAll((tiles) =>
      tiles.flatMap((tile) => {
        const { top, bottom } = tile.getBoundingClientRect()
        return bottom > 0 && top < innerHeight ? [[(tile as HTMLElement).dataset.photo, Math.round(top)] as const] : []
      }),
    )
  await expect.poll(ids).not.toEqual([])
  const [[id, top] = ['', 0]] = await ids()
  const scrolled = await page.evaluate(() => scrollY)
  await uploadPhotos(service.api, event.id, 5)
  const comeBack = (minutes: number) =>
    page.evaluate((ms) => {
      const now = Date.now
      Date.now = () => now() + ms
      document.dispatchEvent(new Event('visibilitychange'))
    }, minutes * 60_000)
  await comeBack(6)
  await expect.poll(() => page.locator('header .facts').innerText()).toMatch(/35 photos$/)
  await page
    .getByRole('img', { name: / of 35$/ })
    .first()
    .waitFor()
  await expect.poll(async () => (await ids()).find(([shown]) => shown === id)?.[1]).toBe(top)
  // The new photos were inserted above.
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(scrolled)
  expect(pageErrors).toEqual([])
})

test('an upload pauses, resends only missing chunks after a lost connection, and warns on leaving', {
  tags: 'nightly',
}, async () => {
  const event = await openEvent()
  await uploadPhotos(service.api, event.id, 1)
  const proxy = await startTcpProxy({ port: Number(new URL(service.url).port) })
  onTestFinished(() => proxy.close())
  const url = event.share_url.replace(new URL(event.share_url).origin, `http://127.0.0.1:${proxy.port}`)
  const paths = await createFilesOnDisk({
    'long.jpg': await jpegOfSize(26_000_000, { seed: 21 }),
    'short.jpg': await jpeg({ seed: 22 }),
  })
  const { page, pageErrors } = await guests.open(url, 'desktop')
  await waitForScript(page, true)
  const chunksSent: string[] = []
  page.on('requestfinished', (request) => {
    if (/chunk\/\d$/.test(request.url())) chunksSent.push(request.url())
  })
  const dialog = await openDialog(page)
  await limitUploads(page, 3_000_000)
  await choose(page, paths)
  const bar = dialog.getByRole('progressbar', { name: 'Total progress' })
  const share = () => bar.evaluate((element: HTMLProgressElement) => element.position)

  await expect.poll(share, { interval: 50 }).toBeGreaterThan(0.05)
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await dialog.getByText('Paused').waitFor()
  const paused = await share()
  await expectNoAxeFindings(page)
  expect(await share()).toBeLessThanOrEqual(paused)
  await dialog.getByRole('button', { name: 'Resume' }).click()
  // The upload continues when a step back closes its dialog.
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  await page.locator('.bring-pill').click()
  await expect.poll(() => chunksSent.length, { interval: 50 }).toBeGreaterThan(1)
  proxy.cut()
  await dialog.getByText('No connection, resumes automatically').waitFor()
  expect(await dialog.getByText(/added, /).count()).toBe(0)
  // Leaving the page must ask for confirmation.
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => pageErrors).toContainEqual(expect.stringMatching(/^a dialog/))

  proxy.open()
  await limitUploads(page, -1)
  await dialog.getByText('2 added', { exact: true }).waitFor()
  // One chunk of the small file and three of the large file.
  expect([chunksSent.length, new Set(chunksSent).size]).toEqual([4, 4])
  expect((await photosOf(event)).slice(1).sort()).toEqual([
    ['long.jpg', 26_000_000],
    ['short.jpg', (await jpeg({ seed: 22 })).length],
  ])
})

test('in an empty gallery, photos are confirmed before the reveal and under moderation, and then shown', {
  tags: 'nightly',
}, async () => {
  const event = await openEvent({ reveal_at: new Date(Date.now() + 86_400_000).toISOString() })
  const { page } = await guests.open(event.share_url, 'phone')
  const dialog = page.getByRole('dialog', { name: 'Add photos' })
  const add = async (seed: number, expected: string) => {
    await page.getByRole('button', { name: 'Add photos' }).tap()
    await choose(page, await createFilesOnDisk({ [`${seed}.jpg`]: await jpeg({ seed }) }))
    await dialog.getByText(expected).waitFor()
  }
  await add(91, 'Your photos will appear with the others when the gallery opens.')
  await dialog.getByRole('button', { name: 'Done' }).tap()
  await dialog.waitFor({ state: 'detached' })
  await waitForHistory(page)

  const moderated = await openEvent({ moderate_uploads: true })
  await page.goto(moderated.share_url)
  await add(41, 'Your photographer reviews your photos before others can see them.')
  await expectNoAxeFindings(page)
  await page.reload()
  await page.getByText('The photos are coming soon.').waitFor()

  await service.api.patch(`/api/v1/events/${moderated.id}`, { moderate_uploads: false })
  await add(42, 'Your photos are now in the gallery.')
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('img', { name: 'Photo 1 of 1' }).waitFor()
})

test('an upload that failed for lack of room can be retried, and disabled uploads are not offered', {
  tags: 'nightly',
}, async () => {
  const event = await openEvent({ photo_cap: 2 })
  const [first] = await uploadPhotos(service.api, event.id, 2)
  const { page } = await guests.open(event.share_url, 'phone')
  await waitForScript(page, true)
  const dialog = await openDialog(page)
  await choose(page, await createFilesOnDisk({ 'late.jpg': await jpeg({ seed: 51 }) }))
  await dialog.getByText('No files added, 1 failed').waitFor()
  await dialog.getByText('The gallery has reached its photo limit.').waitFor()
  const retry = dialog.getByRole('button', { name: 'Retry failed file' })
  await expect.poll(() => hasFocus(retry)).toBe(true)
  await service.admin.delete(`/api/admin/photos/${event.id}/photos/${first}`)
  await dialog.getByRole('button', { name: 'Retry failed file' }).tap()
  await dialog.getByText('1 added', { exact: true }).waitFor()

  const closed = await createEvent(service.api)
  await uploadPhotos(service.api, closed.id, 1)
  await page.goto(closed.share_url)
  await waitForScript(page, true)
  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Add photos' }).count()).toBe(0)
})

async function drop(page: Page, path: string): Promise<void> {
  await page.evaluate(() => {
    const input = document.createElement('input')
    input.type = 'file'
    input.id = 'dragged'
    document.body.append(input)
  })
  await page.setInputFiles('#dragged', path)
  await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('#dragged')
    const dataTransfer = new DataTransfer()
    for (const file of input?.files ?? []) dataTransfer.items.add(file)
    input?.remove()
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }
  })
}
