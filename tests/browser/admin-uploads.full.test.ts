import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { firstAdmin, openAdminApp, signInBrowser, withoutResponses } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { createFilesOnDisk, createFolderOnDisk, dropFiles } from '../support/browser/drop-files.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { blockRequests, limitUploads } from '../support/browser/network-requests.ts'
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

test('a dropped folder: new photos upload, known ones are skipped, errors are shown with a reason', async () => {
  const event = await createEvent(service.api)
  await service.api.upload(event.id, await jpeg({ seed: 1 }), { name: 'from-before.jpg' })
  const folder = await createFolderOnDisk('Wedding', {
    'Church/known.jpg': await jpeg({ seed: 1 }),
    'Church/one.jpg': await jpeg({ seed: 2 }),
    'Church/large.jpg': await jpegOfSize(11_000_000, { seed: 3 }),
    'Party/two.jpg': await jpeg({ seed: 4 }),
    'Church/Copie de one.jpg': await jpeg({ seed: 2 }),
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
    [
      '1 chosen twice Each is uploaded once.',
      'Wedding/Church/Copie de one.jpg, same content as Wedding/Church/one.jpg',
    ],
    [expect.stringMatching(/^1 failed (The file is damaged|This isn't a supported)/), 'Wedding/Party/damaged.jpg'],
    ['1 skipped RAW files are turned off in the settings.', 'Accept RAW files', 'Wedding/Party/raw.cr3'],
    ['1 skipped The file is empty.', 'Wedding/Party/empty.jpg'],
  ])
  await expectNoAxeFindings(page)
  // The order of the folder, although the large file is complete last.
  const inUploadOrder = (await photosOf(event)).map((photo) => photo.original_filename)
  expect(inUploadOrder).toEqual(['from-before.jpg', 'large.jpg', 'one.jpg', 'two.jpg'])
  const categories: Array<{ id: number; name: string }> = (
    await service.admin.get(`/api/admin/categories/event/${event.id}`)
  ).body
  const named = new Map(categories.map(({ id, name }) => [id, name]))
  const listByCategory = async () =>
    Object.fromEntries(
      (await photosOf(event)).map((photo) => [photo.original_filename, named.get(photo.category_id ?? 0) ?? null]),
    )
  expect(await listByCategory()).toEqual({
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
  await panel.getByText('3 already added').waitFor()
  expect(chunks).toEqual([])

  // Each drop has its own report. Files that are chosen again are checked again, also the one that was damaged.
  await writeFile(join(folder, 'Party/damaged.jpg'), await jpeg({ seed: 6 }))
  await dropFiles(page, [join(folder, 'Party')])
  await panel.getByText('1 added, 1 already added, 2 skipped', { exact: true }).waitFor()
  await dropFiles(page, [join(folder, 'Party')])
  await panel.getByText('2 already added, 2 skipped', { exact: true }).waitFor()

  // Files that are dropped while a category is shown get it.
  await page.locator('.categories-bar').getByText('Church').click()
  const final = await createFilesOnDisk({ 'final.jpg': await jpeg({ seed: 7 }) })
  await dropFiles(page, final)
  await panel.getByText('1 added').waitFor()
  expect(await listByCategory()).toMatchObject({ 'final.jpg': 'Church' })
  expect(withoutResponses(pageErrors)).toEqual([])
})

async function openEvent({ id }: TestEvent, { as = firstAdmin, locale = 'en-GB' } = {}): Promise<Page> {
  const { page } = await browsers.openBlankPage(service.url, 'desktop', { locale })
  await signInBrowser(service, page, as)
  await page.goto(`${service.url}/admin/events/${id}`)
  return page
}

test('rejected files have their own reason, in the language of the operator, with a button only for who may use it', {
  tags: 'nightly',
}, async () => {
  const half = await jpeg({ seed: 61, width: 900, height: 600 })
  const paths = await createFilesOnDisk({
    'huge.png': await declaredPng(20_000, 14_000),
    'half.jpg': half.subarray(0, half.length / 2),
    'train.mov': text('any'),
    'README.md': text('read me'),
  })
  const listGroups = async (page: Page) => {
    await locatePanel(page).locator('input[name="files"]').setInputFiles(paths)
    await expect.poll(() => locatePanel(page).locator('details').count()).toBe(4)
    await expectNoAxeFindings(page)
    return (await locatePanel(page).locator('details').allInnerTexts()).map((group) =>
      group.split('\n').filter(Boolean),
    )
  }
  const german = await openEvent(await createEvent(service.api), { locale: 'de-DE' })
  expect(await listGroups(german)).toEqual(
    expect.arrayContaining([
      [
        '1 fehlgeschlagen Das Foto hat mehr Pixel, als der Dienst verarbeiten kann. Exportieren Sie es kleiner.',
        'huge.png',
      ],
      ['1 fehlgeschlagen Die Datei ist beschädigt und konnte nicht vollständig gelesen werden.', 'half.jpg'],
    ]),
  )
  const editor = await createAccount(service, 'editor')
  for (const account of [editor, firstAdmin]) {
    const page = await openEvent(await createEvent(editor.api), { as: account })
    expect(await listGroups(page)).toEqual(
      expect.arrayContaining([
        ['1 failed The photo has more pixels than the service can process. Export it at a smaller size.', 'huge.png'],
        ["1 failed The file is damaged and couldn't be read completely.", 'half.jpg'],
      ]),
    )
    // A disabled type differs from an unsupported one.
    const video = locatePanel(page).locator('details', { hasText: 'train.mov' })
    await video.getByText('This video type is turned off. You can turn it on in the settings').waitFor()
    expect(await video.innerText()).not.toContain('README.md')
    expect(await video.getByRole('button').count()).toBe(account === editor ? 0 : 1)
    if (account === editor) continue
    await video.getByRole('button', { name: 'Accept MOV videos' }).click()
    await page.getByText('Accepted from now on. 1 file is being uploaded.').waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
    expect(await page.getByRole('group', { name: 'Videos' }).getByLabel('MOV').isChecked()).toBe(true)
    // Saved settings apply without a reload.
    await page.getByRole('group', { name: 'Videos' }).getByLabel('AVI').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.goBack()
    await locatePanel(page).locator('input[name="files"][accept*=".avi"]').waitFor({ state: 'attached' })
  }
})

test('an upload pauses, shows on other pages, and resends only missing chunks after a lost connection', {
  tags: 'nightly',
}, async () => {
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
  await limitUploads(page, 3_000_000)
  await dropFiles(page, [folder])
  const bar = panel.getByRole('progressbar', { name: 'Total progress' })
  const share = () => bar.evaluate((element: HTMLProgressElement) => element.position)
  await expect.poll(share, { interval: 50 }).toBeGreaterThan(0.05)
  await panel.getByRole('progressbar', { name: 'long.jpg' }).waitFor()
  await panel.getByRole('button', { name: 'Pause' }).click()
  await panel.getByText(/· paused/).waitFor()
  const paused = await share()
  await expectNoAxeFindings(page)
  expect(await share()).toBeLessThanOrEqual(paused)
  await panel.getByRole('button', { name: 'Resume' }).click()

  await page.getByRole('link', { name: 'Integrations' }).click()
  const status = page.getByRole('link', { name: /of 2 uploaded/ })
  await status.waitFor()
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

test('after a reload the same folder resumes, with the missing chunks', { tags: 'nightly' }, async () => {
  const event = await createEvent(service.api)
  const folder = await createFolderOnDisk('Evening', {
    'long.jpg': await jpegOfSize(21_000_000, { seed: 31 }),
    'short.jpg': await jpeg({ seed: 32 }),
  })
  const { page: closed } = await openAdminApp(browsers, service.url, `/events/${event.id}`)
  const before = recordChunks(closed)
  await blockRequests(closed, '*/chunk/2')
  await locatePanel(closed).locator('input[name="folder"]').setInputFiles(folder)
  await expect.poll(() => before.length).toBe(3)
  await expect.poll(() => namesOf(event)).toEqual(['short.jpg'])
  const page = await reopenPage(closed)
  const panel = locatePanel(page)
  const after = recordChunks(page)
  await panel.getByText(/An upload was interrupted: 1 file \(21 MB\) remaining/).waitFor()
  await panel.getByText('Drop or choose the same folder').waitFor()
  await expectNoAxeFindings(page)
  await panel.locator('input[name="folder"]').setInputFiles(folder)
  await panel.getByText('1 added, 1 already added').waitFor()
  expect(after).toEqual([expect.stringMatching(/chunk\/2$/)])
  expect(await panel.getByText('interrupted').count()).toBe(0)
  expect(await namesOf(event)).toEqual(['long.jpg', 'short.jpg'])
  await page.reload()
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  expect(await panel.getByText('interrupted').count()).toBe(0)
})

test('sidecars that are dropped with their photos become own marks, if the setting is on', {
  tags: 'nightly',
}, async () => {
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
