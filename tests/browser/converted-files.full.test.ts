import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { must } from '../../contract/must.ts'
import { openAdminApp } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { createFilesOnDisk, createFolderOnDisk, dropFiles } from '../support/browser/drop-files.ts'
import { chooseFromMenu, chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { codedItem, createHeic } from '../support/media/heic-files.ts'
import { jpeg } from '../support/media/pictures.ts'
import { createRawFile, rawLayouts } from '../support/media/raw-files.ts'
import { allowVideos as allowTypes } from '../support/media/videos.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const browsers = await chromiumForFile()

async function download(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [started] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: started.suggestedFilename(), bytes: await readFile(await started.path()) }
}

test('RAW files that were skipped are accepted by one click, and guests get a JPEG, or the original where it is allowed', async () => {
  const layout = must(
    rawLayouts.find(({ kind }) => kind === 'nef'),
    'the layout of an NEF',
  )
  const raw = Buffer.from(await createRawFile(layout))
  const event = await createEvent(service.api, { allow_raw_downloads: true, strip_location: false })
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}`)
  const panel = page.getByRole('region', { name: 'Uploads' })
  await dropFiles(page, [await createFolderOnDisk('Card', { 'DSC_1.NEF': raw, 'DSC_2.JPG': await jpeg() })])
  await panel.getByText('1 added, 1 skipped').waitFor()
  await panel.getByText('RAW files are turned off in the settings.').waitFor()
  await expectNoAxeFindings(page)
  await panel.getByRole('button', { name: 'Accept RAW files' }).click()
  await panel.getByText('2 added').waitFor()
  await page.getByText('Accepted from now on. 1 file is being uploaded.').waitFor()
  expect((await service.admin.get('/api/admin/settings')).body.general_allowed_file_types).toMatch(/^jpg.*,nef,/)
  expect(pageErrors).toEqual([])

  const guest = await browsers.open(event.share_url, 'phone')
  await waitForScript(guest.page, true)
  await guest.page.getByRole('link', { name: /^Photo 2 of 2/ }).click()
  await guest.page.getByText('DSC_1.NEF', { exact: true }).waitFor()
  await expectNoAxeFindings(guest.page)
  const original = guest.page.getByRole('link', { name: 'Original file' })
  expect(await download(guest.page, () => original.click())).toEqual({ name: 'DSC_1.NEF', bytes: raw })
  const saved = await download(guest.page, () => guest.page.getByRole('link', { name: 'Save photo' }).click())
  expect(saved.name).toBe('DSC_1.jpg')
  expect([...saved.bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
  expect(guest.pageErrors).toEqual([])
})

test('a guest uploads the HEIC file of a phone, sees and gets a JPEG, and a retouched JPEG replaces it', async () => {
  const [category] = (await service.admin.get('/api/admin/categories/global')).body
  await allowTypes(service, 'jpg,heic')
  const event = await createEvent(service.api, { allow_user_uploads: true, upload_category_id: category.id })
  await service.api.upload(event.id, await jpeg({ seed: 76 }), { name: 'first.jpg' })
  const heic = createHeic([codedItem('full-601')])
  const { page, pageErrors } = await browsers.open(event.share_url, 'phone')
  await waitForScript(page, true)
  await chooseFromMenu(page, 'Add photos')
  const dialog = page.getByRole('dialog', { name: 'Add photos' })
  const input = dialog.locator('input[type="file"]')
  expect(await input.getAttribute('accept')).toContain('image/heic')
  await input.setInputFiles(await createFilesOnDisk({ 'IMG_1.HEIC': heic }))
  await dialog.getByText('1 added').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: /^Photo 2 of 2/ }).click()
  const saved = await download(page, () => page.getByRole('link', { name: 'Save photo' }).click())
  expect([saved.name, [...saved.bytes.subarray(0, 3)]]).toEqual(['IMG_1.jpg', [0xff, 0xd8, 0xff]])
  expect(await page.getByRole('link', { name: 'Original file' }).count()).toBe(0)
  expect(pageErrors).toEqual([])

  const photosOf = async () => (await service.api.get(`/api/v1/events/${event.id}/photos`)).body.photos
  const [, uploaded] = await photosOf()
  expect(uploaded).toMatchObject({ mime_type: 'image/heic', size_bytes: heic.length })
  const operator = await openAdminApp(browsers, service.url, `/events/${event.id}`)
  const panel = operator.page.getByRole('region', { name: 'Uploads' })
  await dropFiles(operator.page, [await createFolderOnDisk('Retouched', { 'img_1.jpg': await jpeg({ seed: 77 }) })])
  await panel.getByText('1 file has the name of a photo of another file type').waitFor()
  await panel.getByRole('button', { name: 'Replace' }).click()
  await panel.getByText('1 replaced').waitFor()
  expect(await photosOf()).toMatchObject([{}, { id: uploaded.id, mime_type: 'image/jpeg' }])
  expect(operator.pageErrors).toEqual([])
})
