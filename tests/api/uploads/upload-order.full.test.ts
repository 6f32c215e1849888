import { expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { adminUploadsPath, initUpload, sendAllChunks } from '../../support/uploads/chunked-uploads.ts'

const service = await sharedService()
const { admin, api } = service
const [category] = (await admin.get('/api/admin/categories/global')).body

const batch = (id: string, index: number) => ({ filename: `${index}.jpg`, batch: { id: id.padEnd(16, '-'), index } })
const listNames = async (eventId: number) =>
  (await api.get(`/api/v1/events/${eventId}/photos`)).body.photos.map(
    (photo: { original_filename: string }) => photo.original_filename,
  )

/** Opens the sessions in reverse order, at the same time, and completes them one after the other in reverse order. */
async function uploadInReverse(client: TestClient, base: string, batchId: string, indexes: number[]) {
  const uploads = await Promise.all(
    indexes
      .toReversed()
      .map(async (index) => sendAllChunks(client, base, await jpeg({ seed: index }), batch(batchId, index))),
  )
  for (const upload of uploads) expect((await upload.complete()).status).toBe(200)
}

test('files of a batch are listed in the order of the folder', async () => {
  const { id } = await createEvent(api)
  await uploadPhotos(api, id, 1)
  await uploadInReverse(admin, adminUploadsPath(id), 'folder', [0, 2, 10])
  const [first, ...others] = await listNames(id)
  expect(others).toEqual(['0.jpg', '2.jpg', '10.jpg'])
  const grid = (await admin.get(`/api/admin/photos/${id}/photos?order=desc`)).body.photos
  expect(grid.map((photo: { original_filename: string }) => photo.original_filename)).toEqual(
    [first, ...others].toReversed(),
  )
})

test('a retried file gets its place, also in a new session', async () => {
  const { id } = await createEvent(api)
  const base = adminUploadsPath(id)
  const file = await jpeg({ seed: 1 })
  const lost = await sendAllChunks(admin, base, file, batch('retry', 1))
  await uploadInReverse(admin, base, 'retry', [0, 2])
  expect((await lost.abort()).status).toBe(200)
  expect(await listNames(id)).toEqual(['0.jpg', '2.jpg'])
  await (await sendAllChunks(admin, base, file, batch('retry', 1))).complete()
  expect(await listNames(id)).toEqual(['0.jpg', '1.jpg', '2.jpg'])
})

test('the files of a guest keep their order, and a batch of another event has no effect', async () => {
  const other = await createEvent(api)
  await initUpload(admin, adminUploadsPath(other.id), { fileSize: 5, ...batch('guest', 0) })
  const before = Date.now()
  const event = await createEvent(api, { allow_user_uploads: true, upload_category_id: category.id })
  const guest = await enterAsGuest(service, event)
  await uploadInReverse(guest, `/api/gallery/${event.slug}/chunked-upload`, 'guest', [0, 1, 2])
  expect(await listNames(event.id)).toEqual(['0.jpg', '1.jpg', '2.jpg'])
  const [photo] = (await api.get(`/api/v1/events/${event.id}/photos`)).body.photos
  expect(Date.parse(photo.uploaded_at)).toBeGreaterThanOrEqual(before)
})

test('a replacement in a batch does not move the photo', async () => {
  const { id } = await createEvent(api)
  const [photoId] = await uploadPhotos(api, id, 1)
  const path = `/api/admin/photos/${id}/photo/${photoId}`
  const { uploaded_at } = (await admin.get(path)).body
  const replaces = { ...batch('replace', 90_000), replaces_photo_id: photoId }
  const upload = await sendAllChunks(admin, adminUploadsPath(id), await jpeg({ seed: 7 }), replaces)
  expect((await upload.complete()).status).toBe(200)
  expect((await admin.get(path)).body).toMatchObject({ uploaded_at, original_filename: '90000.jpg' })
})

test('an invalid batch is rejected', async () => {
  const { id } = await createEvent(api)
  for (const [invalid, path] of [
    [{ id: 'short', index: 0 }, 'batch.id'],
    [{ id: 'x'.repeat(65), index: 0 }, 'batch.id'],
    [{ id: 'x'.repeat(16), index: 100_000 }, 'batch.index'],
    [{ id: 'x'.repeat(16) }, 'batch.index'],
  ] as const) {
    const init = { filename: 'a.jpg', fileSize: 5, batch: invalid }
    expectInvalidField(await admin.post(`${adminUploadsPath(id)}/init`, init), path)
  }
})
