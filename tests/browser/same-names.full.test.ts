import { expect, test } from 'vitest'
import { openAdminApp, withoutResponses } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { createFolderOnDisk, dropFiles } from '../support/browser/drop-files.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const browsers = await chromiumForFile()
const count = 30
/** Every photo is taken in another second. */
const timeOf = (index: number) => `2026:05:01 10:00:${String(index).padStart(2, '0')}`
const nameOf = (index: number) => `DSC_${String(index).padStart(4, '0')}.JPG`

type Photo = { id: number; source_filename: string; content_hash: string; like_count: number; comment_count: number }

const photosOf = async ({ id }: TestEvent): Promise<Photo[]> =>
  (await service.api.get(`/api/v1/events/${id}/photos?limit=100&sort=filename`)).body.photos
const contentsOf = (photos: Photo[]) => photos.map(({ id, content_hash }) => [id, content_hash])

test('retouched files replace the photos of their names and times in one answer, and it is undone; those of another camera are asked about', async () => {
  const event = await createEvent(service.api, { moderate_comments: false })
  const pictures = await Promise.all(
    Array.from({ length: 2 * count + 1 }, (_, seed) => jpeg({ seed: 200 + seed, takenAt: timeOf(seed % count) })),
  )
  for (const [index, bytes] of pictures.slice(0, count).entries()) {
    await service.api.upload(event.id, bytes, { name: nameOf(index) })
  }
  const before = await photosOf(event)
  const guest = await enterAsGuest(service, event)
  for (const { id } of before.slice(0, 3)) {
    await guest.post(`/api/gallery/${event.slug}/photos/${id}/feedback`, { feedback_type: 'like' })
  }
  const comment = { feedback_type: 'comment', comment_text: 'Brighter, please', guest_name: 'Ana' }
  await guest.post(`/api/gallery/${event.slug}/photos/${before[0]?.id}/feedback`, comment)
  const marked = await photosOf(event)
  expect(marked[0]).toMatchObject({ like_count: 1, comment_count: 1 })

  const retouched = pictures
    .slice(count, 2 * count)
    .map((bytes, index) => [nameOf(index).toLowerCase(), bytes] as const)
  const folder = await createFolderOnDisk('Retouched', {
    ...Object.fromEntries(retouched),
    'DSC_0003.png.jpg': pictures.at(-1) as Uint8Array,
    'DSC_0004.jpeg': await jpeg({ seed: 199, takenAt: timeOf(4) }),
  })
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}`)
  const panel = page.getByRole('region', { name: 'Uploads' })
  await dropFiles(page, [folder])
  const question = panel.getByRole('alert').filter({ hasText: '30 files have the name of a photo, with other content' })
  await question.getByText('Show 30 files').click()
  const row = question.getByRole('listitem').filter({ hasText: 'Retouched/dsc_0007.jpg' })
  await row.waitFor()
  expect(await row.locator('img').count()).toBe(2)
  const newPicture = row.locator('img[src^="blob:"]')
  await newPicture.scrollIntoViewIfNeeded()
  await expect.poll(() => newPicture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(60)
  await expectNoAxeFindings(page)
  const similar = panel.getByRole('alert').filter({ hasText: '1 file has the name of a photo of another file type' })
  await similar.waitFor()
  expect(contentsOf((await photosOf(event)).filter(({ id }) => before.some((one) => one.id === id)))).toEqual(
    contentsOf(before),
  )
  await question.getByRole('button', { name: 'Replace' }).click()
  await similar.getByRole('button', { name: 'Skip' }).click()
  await panel.getByText('1 added, 30 replaced, 1 skipped').waitFor()

  const replaced = (await photosOf(event)).filter(({ id }) => before.some((one) => one.id === id))
  expect(replaced.map(({ id, source_filename }) => [id, source_filename])).toEqual(
    before.map(({ id, source_filename }) => [id, source_filename]),
  )
  for (const [index, { content_hash }] of replaced.entries()) expect(content_hash).not.toBe(before[index]?.content_hash)
  const marks = (photos: Photo[]) => photos.map(({ like_count, comment_count }) => [like_count, comment_count])
  expect(marks(replaced)).toEqual(marks(marked))

  // The report, and with it the way back, stays after a reload. Replacements that were undone elsewhere are left alone.
  await page.reload()
  await panel.getByRole('button', { name: 'Undo 30 replacements' }).waitFor()
  const [elsewhere] = before
  await service.admin.post(`/api/admin/photos/${event.id}/photos/${elsewhere?.id}/undo-replacement`, {})
  await panel.getByRole('button', { name: 'Undo 30 replacements' }).click()
  await page.getByText('The earlier files of 29 of 30 photos are back').waitFor()
  expect(contentsOf((await photosOf(event)).filter(({ id }) => before.some((one) => one.id === id)))).toEqual(
    contentsOf(before),
  )
  await panel.getByRole('button', { name: /Undo/ }).waitFor({ state: 'hidden' })
  await page.reload()
  await panel.getByText('1 added, 1 skipped').waitFor()
  expect(await panel.getByRole('button', { name: /Undo/ }).count()).toBe(0)

  // A second camera, whose names begin again.
  const second = await Promise.all(
    [0, 1].map((index) => jpeg({ seed: 90 + index, takenAt: `2026:05:01 18:07:1${index}` })),
  )
  await dropFiles(page, [
    await createFolderOnDisk('Camera 2', Object.fromEntries(second.map((bytes, index) => [nameOf(index), bytes]))),
  ])
  const otherTime = panel
    .getByRole('alert')
    .filter({ hasText: '2 files have the name of a photo, but were taken at another time' })
  await otherTime.waitFor()
  expect(await otherTime.getByRole('button').allTextContents()).toEqual(['Add as new', 'Replace', 'Skip'])
  await otherTime.getByRole('button', { name: 'Add as new' }).click()
  await panel.getByText('2 added').waitFor()

  // Two photos share each of these names: the time says which one a file replaces.
  const twoNames = {
    [nameOf(0)]: await jpeg({ seed: 95, takenAt: '2026:05:01 18:07:10' }),
    [nameOf(1)]: await jpeg({ seed: 96, takenAt: '2026:05:02 09:09:09' }),
  }
  await dropFiles(page, [await createFolderOnDisk('Camera 2, retouched', twoNames)])
  const known = panel.getByRole('alert').filter({ hasText: '1 file has the name of a photo, with other content' })
  const several = panel.getByRole('alert').filter({ hasText: '1 file has a name that several photos have' })
  await several.waitFor()
  expect(await several.getByRole('button').allTextContents()).toEqual(['Add as new', 'Skip'])
  await known.getByRole('button', { name: 'Replace' }).click()
  await several.getByRole('button', { name: 'Skip' }).click()
  await panel.getByText('1 replaced, 1 skipped').waitFor()
  const ofSecond = (await photosOf(event)).filter(({ id }) => !before.some((one) => one.id === id))
  expect(ofSecond.map(({ source_filename }) => source_filename).toSorted()).toEqual([
    nameOf(0),
    nameOf(1),
    'DSC_0003.png.jpg',
  ])
  expect(contentsOf((await photosOf(event)).filter(({ id }) => before.some((one) => one.id === id)))).toEqual(
    contentsOf(before),
  )

  // A file that its photo had before is a separate question. One that an undone replacement brought can replace it
  // again.
  const [, undone = new Uint8Array()] = retouched[5] ?? []
  const again = { [nameOf(0)]: second[0] ?? new Uint8Array(), [nameOf(5)]: undone }
  await dropFiles(page, [await createFolderOnDisk('Again', again)])
  const earlier = panel
    .getByRole('alert')
    .filter({ hasText: '1 file is one that a photo here had before it was replaced' })
  await earlier.waitFor()
  expect(await earlier.getByRole('button').allTextContents()).toEqual(['Replace', 'Skip'])
  await earlier.getByRole('button', { name: 'Skip' }).click()
  await known.getByRole('button', { name: 'Replace' }).click()
  const fifth = async () => (await photosOf(event)).find(({ id }) => id === before[5]?.id)?.content_hash
  await expect.poll(fifth).toBe(replaced[5]?.content_hash)
  await expectNoAxeFindings(page)
  expect(withoutResponses(pageErrors)).toEqual([])
})
