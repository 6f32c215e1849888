import { crc32 } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { readArchiveDirectory, readArchiveFiles } from '../../support/media/read-archive.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles, openStoredFile } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { api, admin } = service

const pathOf = ({ slug }: TestEvent, route: string) => `/api/gallery/${slug}/${route}`
const hide = (event: TestEvent, photoId: number) =>
  admin.patch(`/api/admin/photos/${event.id}/photos/${photoId}`, { visibility: 'hidden' })
const getEstimate = async (client: TestClient, event: TestEvent, query = '') =>
  (await client.get(pathOf(event, `download-estimate${query}`))).body
const createCategory = async (event: TestEvent, name: string, allow_downloads = true) =>
  (await admin.post('/api/admin/categories', { name, event_id: event.id, allow_downloads })).body.id
const upload = async (event: TestEvent, name: string, category_id?: number, width = 120) => {
  const picture = await jpeg({ seed: width, width, height: 90 })
  return (await api.upload(event.id, picture, { name, fields: category_id ? { category_id } : {} })).body.id
}
const readZip = async (client: TestClient, event: TestEvent, query = '') => {
  const { status, headers, bytes } = await client.get(pathOf(event, `download-all${query}`))
  expect([status, headers.get('content-length')]).toEqual([200, String(bytes.length)])
  const files = readArchiveFiles(bytes)
  return { bytes, headers, files, names: [...files.keys()] }
}
const damage = async (event: TestEvent, photoId: number) => {
  const original = getStoredOriginal(service, event.id, photoId)
  await original.write(Buffer.alloc((await original.read()).length, 7))
}

/** Returns the number of finished photos at each request of the estimate. */
async function waitUntilReady(client: TestClient, event: TestEvent, query = ''): Promise<number[]> {
  const counts: number[] = []
  const isReady = async () => {
    const { ready, ready_count } = await getEstimate(client, event, query)
    counts.push(ready_count)
    return ready
  }
  await vi.waitUntil(isReady, { timeout: 60_000, interval: 20 })
  return counts
}

test('names and counts photos whose originals are missing', async () => {
  const event = await createEvent(api)
  const [lost = 0] = await uploadPhotos(api, event.id, 2)
  await getStoredOriginal(service, event.id, lost).remove()
  const guest = await enterAsGuest(service, event)
  const { bytes, headers, files, names } = await readZip(guest, event)
  expect([headers.get('x-zip-missing'), names]).toEqual(['1', ['MISSING_FILES.txt', 'photo-2.jpg']])
  expect(files.get('MISSING_FILES.txt')?.toString()).toContain('photo-1.jpg')
  expect(await getEstimate(guest, event)).toMatchObject({ count: 1, missing: 1, bytes: bytes.length })
})

test('operators get the originals of drafts, hidden photos included, and no watermark', async () => {
  const event = await createEvent(api, { is_draft: true, watermark_downloads: true, download_max_px: 320 })
  const [, id = 0] = await uploadPhotos(api, event.id, 2)
  await hide(event, id)
  expect([...(await readZip(admin, event)).files]).toEqual([
    ['photo-1.jpg', await jpeg({ seed: 1 })],
    ['photo-2.jpg', await jpeg({ seed: 2 })],
  ])
})

test('file extensions follow the content, whatever the client sent; the ZIP uses the names of single downloads', async () => {
  const event = await createEvent(api, { default_photo_sort: 'upload_date_asc' })
  const uploadedNames = ['IMG_1.JPG', 'invoice.html', 'invoice.exe', '.htaccess']
  for (const name of uploadedNames) await upload(event, name)
  const guest = await enterAsGuest(service, event)
  expect((await readZip(guest, event)).names).toEqual(['IMG_1.JPG', 'invoice.jpg', 'invoice_1.jpg', 'htaccess.jpg'])
  const { photos } = (await guest.get(pathOf(event, 'photos'))).body
  expect(photos.map(({ original_filename }: { original_filename: string }) => original_filename)).toEqual(uploadedNames)
  for (const [index, name] of ['IMG_1.JPG', 'invoice.jpg', 'invoice.jpg', 'htaccess.jpg'].entries()) {
    for (const [route, disposition] of Object.entries({ download: 'attachment', photo: 'inline' })) {
      const { headers } = await guest.get(pathOf(event, `${route}/${photos[index].id}`))
      expect(headers.get('content-disposition')).toBe(`${disposition}; filename=${name}`)
    }
  }
})

test('the first ZIP of a watermarked gallery is 503 DOWNLOAD_PREPARING until its renditions are made and stored', async () => {
  const event = await createEvent(api, { watermark_downloads: true, watermark_text: 'Proof' })
  const names = ['IMG_1.jpg', 'IMG_2.jpg', 'IMG_3.jpg', 'IMG_4.jpg']
  for (const [seed, name] of names.entries()) {
    const picture = await jpeg({ seed, width: 900, height: 600 })
    await api.upload(event.id, picture, { name: name.replace('.jpg', '.PNG') })
  }
  const guest = await enterAsGuest(service, event)
  const first = await guest.get(pathOf(event, 'download-all'))
  expectProblem(first, 503, 'DOWNLOAD_PREPARING')
  expect(first.body).toMatchObject({ ready_count: expect.any(Number), count: 4 })
  expect(first.headers.get('retry-after')).toBe('5')

  const counts = await waitUntilReady(guest, event)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  const { bytes, files } = await readZip(guest, event)
  const ready = { count: 4, ready_count: 4, ready: true, bytes: bytes.length }
  expect(await getEstimate(guest, event)).toMatchObject(ready)
  const entries = readArchiveDirectory((at, length) => bytes.subarray(at, at + length), bytes.length)
  expect(entries.map(({ name }) => name)).toEqual(names)
  for (const entry of entries) {
    expect(crc32(bytes.subarray(entry.dataStart, entry.dataStart + entry.sizeBytes))).toBe(entry.crc32)
  }
  const { photos } = (await guest.get(pathOf(event, 'photos'))).body
  expect(photos).toHaveLength(4)
  for (const { id, original_filename, size_bytes } of photos) {
    const single = await guest.get(pathOf(event, `download/${id}`))
    expect(files.get(original_filename.replace('.PNG', '.jpg'))?.equals(single.bytes)).toBe(true)
    expect(single.bytes.length).not.toBe(size_bytes)
  }

  // The storage has lost the renditions.
  for (const name of await listStoredFiles(service)) {
    if (name.includes(`/${event.id}/renditions/`)) await openStoredFile(service, name).remove()
  }
  expectProblem(await guest.get(pathOf(event, 'download-all')), 503, 'DOWNLOAD_PREPARING')
  await waitUntilReady(guest, event)
  expect((await readZip(guest, event)).names).toEqual(names)
})

test('a photo whose rendition fails is left out and listed, and does not delay the ZIP', async () => {
  const event = await createEvent(api, { watermark_downloads: true })
  await damage(event, await upload(event, 'damaged.jpg', undefined, 1600))
  await upload(event, 'wide.jpg', undefined, 1400)
  const guest = await enterAsGuest(service, event)
  for (const query of ['', '?w=1280']) {
    await waitUntilReady(guest, event, query)
    expect((await readZip(guest, event, query)).names).toEqual(['MISSING_FILES.txt', 'wide.jpg'])
  }
})

test('with `folders` each category is a folder; hidden and withheld photos are in none', async () => {
  const event = await createEvent(api)
  const church = await createCategory(event, 'Church / Registry')
  const party = await createCategory(event, 'Party')
  const proofs = await createCategory(event, 'Proofs', false)
  const ids: number[] = []
  for (const category of [church, party, party, undefined]) ids.push(await upload(event, 'a.jpg', category))
  await upload(event, 'proof.jpg', proofs)
  await hide(event, await upload(event, 'hidden.jpg', party))
  const guest = await enterAsGuest(service, event)
  const whole = await readZip(guest, event, '?folders=category')
  expect(whole.names).toEqual(['Church - Registry/a.jpg', 'Party/a.jpg', 'Party/a_1.jpg', 'a.jpg'])
  expect(await getEstimate(guest, event, '?folders=category')).toMatchObject({ bytes: whole.bytes.length, count: 4 })
  const flat = await readZip(guest, event)
  expect(flat.names).toEqual(['a.jpg', 'a_1.jpg', 'a_2.jpg', 'a_3.jpg'])
  expect(flat.headers.get('etag')).not.toBe(whole.headers.get('etag'))

  for (const id of [ids[1], ids[3]]) {
    await guest.post(pathOf(event, `photos/${id}/feedback`), { feedback_type: 'favorite' })
  }
  const own = await readZip(guest, event, '?filter=favorited&folders=category')
  expect(own.names).toEqual(['Party/a.jpg', 'a.jpg'])
  const selectedPath = pathOf(event, 'download-selected?folders=category')
  const byPost = await guest.post(selectedPath, { photo_ids: [ids[1], ids[2]] })
  expect([...readArchiveFiles(byPost.bytes).keys()]).toEqual(['Party/a.jpg', 'Party/a_1.jpg'])
  expectInvalidField(await guest.get(pathOf(event, 'download-all?folders=color')), 'folders')
})

test('with `w` or a size limit wider photos are made smaller first, others are sent as they are', async () => {
  const event = await createEvent(api, {
    strip_location: false,
    download_max_px: 1400,
    default_photo_sort: 'upload_date_asc',
  })
  const wide = await upload(event, 'wide.jpg', undefined, 1500)
  await upload(event, 'small.jpg')
  const guest = await enterAsGuest(service, event)
  for (const [query, photoPath] of [
    ['', `download/${wide}`],
    ['?w=1280', `photo/${wide}?w=1280`],
  ] as const) {
    expectProblem(await guest.get(pathOf(event, `download-all${query}`)), 503, 'DOWNLOAD_PREPARING')
    await waitUntilReady(guest, event, query)
    const { bytes, files, names } = await readZip(guest, event, query)
    const ready = { count: 2, bytes: bytes.length, ready_count: 2 }
    expect(await getEstimate(guest, event, query)).toMatchObject(ready)
    expect(names).toEqual(['wide.jpg', 'small.jpg'])
    const shown = await guest.get(pathOf(event, photoPath), { accept: 'image/jpeg' })
    expect(files.get('wide.jpg')?.equals(shown.bytes)).toBe(true)
    expect(files.get('small.jpg')?.equals(await jpeg({ seed: 120, width: 120, height: 90 }))).toBe(true)
  }
  expect((await getEstimate(guest, event)).widths).toEqual([640, 1280])
  expectInvalidField(await guest.get(pathOf(event, 'download-all?w=1000')), 'w')
})

test('a size never exceeds the limit of the event nor omits its watermark', async () => {
  const event = await createEvent(api, { download_max_px: 700, watermark_downloads: true })
  const wide = await upload(event, 'wide.jpg', undefined, 1500)
  await upload(event, 'small.jpg')
  const guest = await enterAsGuest(service, event)
  await waitUntilReady(guest, event)
  expect((await getEstimate(guest, event)).widths).toEqual([640])
  const full = await readZip(guest, event)
  // The limit is narrower, so this is the ZIP in full size.
  expect((await readZip(guest, event, '?w=1280')).bytes.equals(full.bytes)).toBe(true)
  await waitUntilReady(guest, event, '?w=640')
  const { files } = await readZip(guest, event, '?w=640')
  const shown = await guest.get(pathOf(event, `photo/${wide}?w=640`), { accept: 'image/jpeg' })
  expect(files.get('wide.jpg')?.equals(shown.bytes)).toBe(true)
  expect(files.get('small.jpg')?.equals(await jpeg({ seed: 120, width: 120, height: 90 }))).toBe(false)
})
