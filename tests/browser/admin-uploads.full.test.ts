import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { firstAdmin, openAdminApp, signInBrowser } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { createFolderOnDisk, dropFiles } from '../support/browser/drop-files.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { blockRequests } from '../support/browser/network-requests.ts'
import { createAccount } from '../support/fixtures/accounts.ts'
import { createEvent, type TestEvent } from '../support/fixtures/events.ts'
import { declaredPng, jpeg, jpegOfSize } from '../support/media/pictures.ts'
import { sidecarEncodings, sidecarForms } from '../support/media/sidecar-forms.ts'
import { startTcpProxy } from '../support/network/tcp-proxy.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const browsers = await chromiumForFile()
const text = (words: string) => new TextEncoder().encode(words)

type Stored = { original_filename: string; size_bytes: number; content_hash: string; category_id: number | null }

const photosOf = async ({ id }: TestEvent): Promise<Stored[]> =>
  (await service.api.get(`/api/v1/events/${id}/photos?limit=100`)).body.photos
const namesOf = async (event: TestEvent): Promise<string[]> =>
  (await photosOf(event)).map((photo) => photo.original_filename).sort()

const locatePanel = (page: Page) => page.getByRole('region', { name: 'Uploads' })

function recordChunks(page: Page): string[] {
  const chunks: string[] = []
  page.on('requestfinished', (request) => {
    const chunk = /chunked-upload\/(.+\/chunk\/\d+)$/.exec(request.url())?.[1]
    if (chunk) chunks.push(chunk)
  })
  return chunks
}

/** Opens the page again, like a reload but without the question of the browser whether to leave. */
async function reopenPage(closed: Page): Promise<Page> {
  const page = await closed.context().newPage()
  const url = closed.url()
  await closed.close()
  await page.goto(url)
  return page
}

async function limitUploads(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  })
}

test('a dropped folder: new photos upload, known ones are skipped, errors are shown with a reason', async () => {
  const event = await createEvent(service.api)
  await service.api.upload(event.id, await jpeg({ seed: 1 }), { name: 'from-before.jpg' })
  const folder = await createFolderOnDisk('Wedding', {
    'Church/known.jpg': await jpeg({ seed: 1 }),
    'Church/one.jpg': await jpeg({ seed: 2 }),
    'Church/large.jpg': await jpegOfSize(11_000_000, { seed: 3 }),
    'Party/two.jpg': await jpeg({ seed: 4 }),
    'Church/one (1).jpg': await jpeg({ seed: 2 }),
    'Party/damaged.jpg': (await jpeg({ seed: 5, width: 400, height: 400 })).subarray(0, 300),
    'Party/raw.cr3': text('raw'),
    'Party/empty.jpg': text(''),
    '.DS_Store': text('x'),
    'Party/Thumbs.db': text('x'),
  })
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}`)
  const panel = locatePanel(page)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expectNoAxeFindings(page)
  await page.getByLabel('Category').selectOption('Use folder names')
  await page.keyboard.press('Escape')
  await dropFiles(page, [folder])
  await panel.getByText('3 added, 1 already added, 1 failed, 2 skipped, 1 chosen twice').waitFor()
  await panel.getByText('2 system files ignored.').waitFor()
  const groups = await panel.locator('details').allInnerTexts()
  expect(groups.map((group) => group.split('\n').filter(Boolean)).sort()).toEqual([
    ['1 chosen twice Each is uploaded once.', 'Wedding/Church/one (1).jpg, same content as Wedding/Church/one.jpg'],
    [expect.stringMatching(/^1 failed (The file is damaged|This isn't a supported)/), 'Wedding/Party/damaged.jpg'],
    ['1 skipped The file is empty.', 'Wedding/Party/empty.jpg'],
    [expect.stringMatching(/^1 skipped This file type isn't allowed/), 'Wedding/Party/raw.cr3'],
  ])
  await expectNoAxeFindings(page)
  // The order of the folder, although the large file is complete last.
  const inUploadOrder = (await photosOf(event)).map((photo) => photo.original_filename)
  expect(inUploadOrder).toEqual(['from-before.jpg', 'large.jpg', 'one.jpg', 'two.jpg'])
  const categories: Array<{ id: number; name: string }> = (
    await service.admin.get(`/api/admin/categories/event/${event.id}`)
  ).body
  const named = new Map(categories.map(({ id, name }) => [id, name]))
  const byCategory = (await photosOf(event)).map((photo) => [
    photo.original_filename,
    named.get(photo.category_id ?? 0) ?? null,
  ])
  expect(Object.fromEntries(byCategory)).toEqual({
    'from-before.jpg': null,
    'one.jpg': 'Church',
    'large.jpg': 'Church',
    'two.jpg': 'Party',
  })

  // The report stays until somebody closes it, also after a reload.
  await page.reload()
  await panel.getByText('3 added, 1 already added, 1 failed, 2 skipped, 1 chosen twice').waitFor()
  await panel.getByText('Wedding/Party/damaged.jpg').waitFor()
  await expectNoAxeFindings(page)

  // Drops one of the two subfolders again. No chunk is sent.
  const done = panel.getByRole('button', { name: 'Done' })
  await done.click()
  await done.waitFor({ state: 'hidden' })
  const chunks = recordChunks(page)
  await dropFiles(page, [join(folder, 'Church')])
  await panel.getByText('0 added, 3 already added').waitFor()
  expect(chunks).toEqual([])

  // Files that are chosen again under an open report are checked again, also the one that was damaged.
  await writeFile(join(folder, 'Party/damaged.jpg'), await jpeg({ seed: 6 }))
  await dropFiles(page, [join(folder, 'Party')])
  await panel.getByText('1 added, 4 already added, 2 skipped, 1 chosen twice').waitFor()
  await dropFiles(page, [join(folder, 'Party')])
  await panel.getByText('0 added, 5 already added, 2 skipped, 1 chosen twice').waitFor()
  expect(pageErrors.filter((complaint) => !/status of (415|422)/.test(complaint))).toEqual([])
})

async function openEvent({ id }: TestEvent, { as = firstAdmin, locale = 'en-GB' } = {}): Promise<Page> {
  const { page } = await browsers.openBlankPage(service.url, 'desktop', { locale })
  await signInBrowser(service, page, as)
  await page.goto(`${service.url}/admin/events/${id}`)
  return page
}

async function filesOnDisk(files: Record<string, Uint8Array>): Promise<string[]> {
  const folder = await createFolderOnDisk('Files', files)
  return Object.keys(files).map((name) => join(folder, name))
}

test.each([
  [
    'en-GB',
    ['1 failed The photo has more pixels than the service can process. Export it at a smaller size.', 'huge.png'],
    ["1 failed The file is damaged and couldn't be read completely.", 'half.jpg'],
  ],
  [
    'de-DE',
    [
      '1 fehlgeschlagen Das Foto hat mehr Pixel, als der Dienst verarbeiten kann. Exportieren Sie es kleiner.',
      'huge.png',
    ],
    ['1 fehlgeschlagen Die Datei ist beschädigt und konnte nicht vollständig gelesen werden.', 'half.jpg'],
  ],
])('a picture with too many pixels and a truncated one get their own message (%s)', async (locale, ...expected) => {
  const event = await createEvent(service.api)
  const half = await jpeg({ seed: 61, width: 900, height: 600 })
  const paths = await filesOnDisk({
    'huge.png': await declaredPng(20_000, 14_000),
    'half.jpg': half.subarray(0, half.length / 2),
  })
  const page = await openEvent(event, { locale })
  await locatePanel(page).locator('input[name="files"]').setInputFiles(paths)
  const groups = locatePanel(page).locator('details')
  await expect.poll(() => groups.count()).toBe(2)
  const listedGroups = (await groups.allInnerTexts()).map((group) => group.split('\n').filter(Boolean))
  expect(listedGroups.sort()).toEqual([...expected].sort())
  await expectNoAxeFindings(page)
})

describe('a video of a disabled type', () => {
  const bring = async (page: Page) => {
    const paths = await filesOnDisk({ 'train.mov': text('any'), 'README.md': text('read me') })
    await locatePanel(page).locator('input[name="files"]').setInputFiles(paths)
    const group = locatePanel(page).locator('details', { hasText: 'train.mov' })
    await group.getByText('This video type is turned off. You can turn it on in the settings').waitFor()
    expect(await group.innerText()).not.toContain('README.md')
    await expectNoAxeFindings(page)
    return group.getByRole('link')
  }

  test('differs from an unsupported file, with a link to the settings', async () => {
    const event = await createEvent(service.api)
    const page = await openEvent(event)
    const link = await bring(page)
    await link.click()
    await page.getByRole('group', { name: 'Videos' }).waitFor()
  })

  test('differs from an unsupported file, without a link for accounts that may not see the settings', async () => {
    const editor = await createAccount(service, 'editor')
    const event = await createEvent(editor.api)
    const page = await openEvent(event, { as: editor })
    expect(await (await bring(page)).count()).toBe(0)
  })
})

test('a file that is too large: the reason names the limit, also to accounts that may not see the settings', async () => {
  await service.admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
  onTestFinished(async () => void (await service.admin.put('/api/admin/settings', { general_max_file_size_mb: 100 })))
  const paths = await filesOnDisk({ 'large.jpg': await jpegOfSize(1_100_000, { seed: 6 }) })
  const editor = await createAccount(service, 'editor')
  const event = await createEvent(editor.api)
  for (const [account, input, reason] of [
    // The settings are loaded once the input no longer takes this type.
    [
      firstAdmin,
      'input[name="files"]:not([accept*=".mov"])',
      '1 skipped The file is larger than 1 MB, the limit in the settings under General › Files.',
    ],
    [editor, 'input[name="files"]', '1 failed The file is larger than 1 MB, the maximum size of a file.'],
  ] as const) {
    const panel = locatePanel(await openEvent(event, { as: account }))
    await panel.locator(input).setInputFiles(paths)
    await panel.getByText(reason).waitFor()
  }
})

test('an upload pauses, shows on other pages, and resends only missing chunks after a lost connection', async () => {
  const event = await createEvent(service.api)
  const folder = await createFolderOnDisk('Long', {
    'long.jpg': await jpegOfSize(34_000_000, { seed: 21 }),
    'short.jpg': await jpeg({ seed: 22 }),
  })
  const proxy = await startTcpProxy({ port: Number(new URL(service.url).port) })
  onTestFinished(() => proxy.close())
  const { page, pageErrors } = await openAdminApp(browsers, `http://127.0.0.1:${proxy.port}`, `/events/${event.id}`)
  const panel = locatePanel(page)
  await panel.getByRole('button', { name: 'Choose files' }).waitFor()
  const chunks = recordChunks(page)
  await limitUploads(page, 6_000_000)
  await dropFiles(page, [folder])
  const bar = panel.getByRole('progressbar', { name: 'Total progress' })
  const share = () => bar.evaluate((element: HTMLProgressElement) => element.position)
  await expect.poll(share, { interval: 50 }).toBeGreaterThan(0.05)
  await panel.getByRole('progressbar', { name: 'long.jpg' }).waitFor()
  await expectNoAxeFindings(page)

  await panel.getByRole('button', { name: 'Pause' }).click()
  await panel.getByText(/· paused/).waitFor()
  const paused = await share()
  // Only a delay shows that nothing more is sent.
  await page.waitForTimeout(500)
  expect(await share()).toBeLessThanOrEqual(paused)
  await panel.getByRole('button', { name: 'Resume' }).click()

  await page.getByRole('link', { name: 'Webhooks' }).click()
  const status = page.getByRole('link', { name: /of 2 uploaded/ })
  await status.waitFor()
  await expectNoAxeFindings(page)
  await expect.poll(() => chunks.length, { interval: 50 }).toBeGreaterThan(1)
  proxy.cut()
  await page.getByRole('link', { name: /of 2, waiting/ }).waitFor()
  expect(await page.getByText(/added/).count()).toBe(0)
  // Leaving the page must ask for confirmation.
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => pageErrors).toContainEqual(expect.stringMatching(/^a dialog/))

  proxy.open()
  await limitUploads(page, -1)
  await page.getByText('Ana & Ben: 2 added').waitFor()
  await expect.poll(() => status.count()).toBe(0)
  // Four chunks of the long file and one of the short file.
  expect([chunks.length, new Set(chunks).size]).toEqual([5, 5])
  expect((await photosOf(event)).map((photo) => [photo.original_filename, photo.size_bytes]).sort()).toEqual([
    ['long.jpg', 34_000_000],
    ['short.jpg', (await jpeg({ seed: 22 })).length],
  ])
})

test('after a reload the same folder resumes, with the missing chunks', async () => {
  const event = await createEvent(service.api)
  const folder = await createFolderOnDisk('Evening', {
    'long.jpg': await jpegOfSize(34_000_000, { seed: 31 }),
    'short.jpg': await jpeg({ seed: 32 }),
  })
  const { page: closed } = await openAdminApp(browsers, service.url, `/events/${event.id}`)
  const before = recordChunks(closed)
  await blockRequests(closed, '*/chunk/3')
  await locatePanel(closed).locator('input[name="folder"]').setInputFiles(folder)
  await expect.poll(() => before.length).toBe(4)
  await expect.poll(() => namesOf(event)).toEqual(['short.jpg'])
  const page = await reopenPage(closed)
  const panel = locatePanel(page)
  const after = recordChunks(page)
  await panel.getByText(/An upload was interrupted: 1 file \(34 MB\) remaining/).waitFor()
  await panel.getByText('Drop or choose the same folder').waitFor()
  await expectNoAxeFindings(page)
  await panel.locator('input[name="folder"]').setInputFiles(folder)
  await panel.getByText('1 added, 1 already added').waitFor()
  expect(after).toEqual([expect.stringMatching(/chunk\/3$/)])
  expect(await panel.getByText('interrupted').count()).toBe(0)
  expect(await namesOf(event)).toEqual(['long.jpg', 'short.jpg'])
  await page.reload()
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  expect(await panel.getByText('interrupted').count()).toBe(0)
})

test('a folder that the browser can reopen needs one click, and failed files are retried', async () => {
  const event = await createEvent(service.api)
  const { page: closed } = await openAdminApp(browsers, service.url, `/events/${event.id}`)
  // A private folder of the browser replaces a folder on disk, because headless Chromium cannot ask for permission.
  // `get` returns this folder directly, because this Chromium crashes when it reads stored folders.
  await closed.context().addInitScript(() => {
    const { get } = IDBObjectStore.prototype
    IDBObjectStore.prototype.get = function (key) {
      if (this.transaction.db.name !== 'proofroom-upload-folders') return get.call(this, key)
      const request = { result: null as unknown, onsuccess: () => undefined }
      const reading = navigator.storage.getDirectory().then((root) => root.getDirectoryHandle('Kept'))
      void reading.then((folder) => {
        request.result = folder
        request.onsuccess()
      })
      return request as unknown as IDBRequest
    }
  })
  const pictures = await Promise.all([41, 42, 43].map(async (seed) => [...(await jpeg({ seed }))]))
  await closed.evaluate(async (files) => {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('Kept', { create: true })
    for (const [index, bytes] of files.entries()) {
      const writer = await (await root.getFileHandle(`${index}.jpg`, { create: true })).createWritable()
      await writer.write(new Uint8Array(bytes))
      await writer.close()
    }
    Object.assign(globalThis, { showDirectoryPicker: async () => root })
  }, pictures)
  await blockRequests(closed, '*/complete')
  const before = recordChunks(closed)
  await locatePanel(closed).getByRole('button', { name: 'Choose folder' }).click()
  await closed.getByRole('link', { name: /of 3, waiting/ }).waitFor()
  await expect.poll(() => before.length).toBe(3)
  const page = await reopenPage(closed)
  const panel = locatePanel(page)
  const chunks = recordChunks(page)
  await service.api.patch(`/api/v1/events/${event.id}`, { photo_cap: 1 })
  await panel.getByRole('button', { name: 'Resume' }).click()
  await panel.getByText('1 added, 2 failed').waitFor()
  await panel.getByText('The event has reached its maximum number of photos.').waitFor()
  expect(chunks).toEqual([])
  await expectNoAxeFindings(page)
  await service.api.patch(`/api/v1/events/${event.id}`, { photo_cap: 0 })
  await panel.getByRole('button', { name: 'Retry 2 failed files' }).click()
  await panel.getByText('3 added', { exact: true }).waitFor()
  expect(await namesOf(event)).toEqual(['0.jpg', '1.jpg', '2.jpg'])
})

test('on a phone, chosen files upload except a removed one, and the page fits the screen', async () => {
  const event = await createEvent(service.api)
  const folder = await createFolderOnDisk('Phone', {
    'first.jpg': await jpegOfSize(9_000_000, { seed: 51 }),
    'second.jpg': await jpegOfSize(9_000_000, { seed: 52 }),
  })
  const { page } = await openAdminApp(browsers, service.url, `/events/${event.id}`, 'phone')
  const panel = locatePanel(page)
  await panel.waitFor()
  await limitUploads(page, 3_000_000)
  const files = ['first.jpg', 'second.jpg'].map((name) => join(folder, name))
  await panel.locator('input[name="files"]').setInputFiles(files)
  await panel.getByRole('button', { name: 'Remove first.jpg' }).tap()
  await panel.getByText('Removed').waitFor()
  await expectNoAxeFindings(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await limitUploads(page, -1)
  await panel.getByText('1 added, 1 removed').waitFor()
  await expectNoAxeFindings(page)
  expect(await namesOf(event)).toEqual(['second.jpg'])
})

test('sidecars that are dropped with their photos become own marks, if the setting is on', async () => {
  await service.admin.put('/api/admin/settings', { general_read_culling_marks: true })
  onTestFinished(async () => {
    await service.admin.put('/api/admin/settings', { general_read_culling_marks: false })
  })
  const event = await createEvent(service.api)
  const utf16 = sidecarEncodings['utf-16 little-endian'](sidecarForms.captureOne({ rating: '2', label: 'Blau' }))
  const folder = await createFolderOnDisk('Culled', {
    'IMG_1.JPG': await jpeg({ seed: 61 }),
    'IMG_1.CR3.xmp': text(sidecarForms.lightroom({ rating: '5', label: 'Rouge' })),
    'IMG_2.JPG': await jpeg({ seed: 62 }),
    'IMG_2.xmp': utf16,
    'IMG_3.JPG': await jpeg({ seed: 63 }),
    'IMG_3.xmp': text('<broken'),
    'IMG_4.xmp': text(sidecarForms.lightroom({ rating: '5', label: null })),
  })
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}`)
  await locatePanel(page).waitFor()
  await dropFiles(page, [folder])
  await locatePanel(page).getByText('3 added, 1 skipped').waitFor()
  const { photos } = (await service.admin.get(`/api/admin/photos/${event.id}/photos?sort=name`)).body
  const marks = photos.map((photo: Record<string, unknown>) => [photo.my_rating, photo.my_color_label])
  expect(marks).toEqual([
    [5, 'red'],
    [2, 'blue'],
    [null, null],
  ])
  expect(pageErrors).toEqual([])
})
