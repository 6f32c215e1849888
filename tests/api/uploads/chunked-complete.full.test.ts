import { stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, originalName, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { animatedGif, jpeg, picture } from '../../support/media/pictures.ts'
import { isOnS3 } from '../../support/service/back-ends.ts'
import { serviceForFile, serviceForTest } from '../../support/service/test-service.ts'
import { getPathOnDisk, listStoredFiles, openStoredFile } from '../../support/storage/stored-files.ts'
import { adminUploadsPath, initUpload, largeJpeg, sendAllChunks } from '../../support/uploads/chunked-uploads.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, api } = service
await createTestWebhook(service)

const listPhotos = async (eventId: number, client = api) =>
  (await client.get(`/api/v1/events/${eventId}/photos?limit=100`)).body.photos
const listChunkFiles = async (eventId: number, testService = service) =>
  (await listStoredFiles(testService)).filter((name) => name.startsWith(`parted/events/${eventId}/`))

describe('completing an upload', () => {
  test('names the missing chunks, the first 1000 of them', async () => {
    // Skips the check of free space, because the disk may have less than the declared 42 GB.
    const wrapStorage = (storage: Storage): Storage => ({ ...storage, ensureSpaceFor: async () => undefined })
    const own = await serviceForTest({ edges: { wrapStorage } })
    await own.admin.put('/api/admin/settings', { general_max_file_size_mb: 100_000 })
    const { id } = await createEvent(own.api)
    const upload = await initUpload(own.admin, adminUploadsPath(id), { fileSize: 4000 * chunkBytes })
    const rejected = await upload.complete()
    expectProblem(rejected, 400, 'MISSING_CHUNKS')
    expect(rejected.body.missing).toEqual(Array.from({ length: 1000 }, (_, index) => index))
  })

  test('twice or at the same time returns the same photo, and publishes it once', { tags: 'database' }, async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg({ seed: 1 }))
    const [one, other] = await Promise.all([upload.complete(), upload.complete()])
    expect([one.status, other.status, other.body]).toEqual([200, 200, one.body])
    const [{ id }] = one.body.photos
    expect(await listPhotos(event.id)).toMatchObject([{ id }])
    expect(listAnnouncedOf(service, event.id).filter(({ type }) => type === 'photo.uploaded')).toHaveLength(1)
    await admin.delete(`/api/admin/photos/${event.id}/photos/${id}`)
    expectProblem(await upload.complete(), 404, 'NOT_FOUND')
  })

  // Only a file on disk has an inode that shows whether it was copied.
  if (!isOnS3) {
    test('copies nothing: the file of the chunks becomes the original, and nothing else is left', async () => {
      const event = await createEvent(api)
      const file = await largeJpeg(chunkBytes + 5000)
      const upload = await sendAllChunks(admin, adminUploadsPath(event.id), file)
      const [multipart = ''] = await listChunkFiles(event.id)
      const { ino } = await stat(getPathOnDisk(service, multipart))
      const [photo] = (await upload.complete()).body.photos
      const original = originalName(service, event.id, photo.id)
      expect((await stat(getPathOnDisk(service, original))).ino).toBe(ino)
      expect(await listChunkFiles(event.id)).toEqual([])
      expect((await listStoredFiles(service)).filter((path) => path.startsWith('staging'))).toEqual([])
      const findRow = () =>
        readDatabase(service, (stored) => stored.prepare('select crc32 from photos where id = ?').get(photo.id))
      expect(findRow(), 'although the last chunk is shorter').toEqual({ crc32: crc32(file) })
    })
  }

  test('works without a body and with null', async () => {
    const event = await createEvent(api)
    for (const body of [undefined, 'null', '{}']) {
      const { path } = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg({ seed: 2 }))
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await admin.call('POST', `${path}/complete`, { headers, ...(body && { body }) })
      expect(answer.status).toBe(200)
    }
  })

  test('accepts a category of the event, null or a type; one of another event keeps the upload', async () => {
    const event = await createEvent(api)
    const [own, theirs] = await Promise.all(
      [event, await createEvent(api)].map(async ({ id }) => {
        const { body } = await admin.post('/api/admin/categories', { name: 'Details', event_id: id })
        return body.id
      }),
    )
    const begin = async () => sendAllChunks(admin, adminUploadsPath(event.id), await jpeg({ seed: 3 }))
    const uncategorized = { category_id: null, type: null, auto_categorized: false }
    for (const [category_id, found] of [
      [own, { category_id: own }],
      [null, {}],
      ['collage', { type: 'collage' }],
    ] as const) {
      const { body } = await (await begin()).complete({ category_id })
      expect(body.photos).toMatchObject([{ ...uncategorized, ...found }])
    }
    const upload = await begin()
    expectProblem(await upload.complete({ category_id: theirs }), 400, 'INVALID_CATEGORY')
    expectInvalidField(await upload.complete({ category_id: 'portrait' }), 'category_id')
    expect((await upload.status()).body.status).toBe('in_progress')
    expect((await upload.complete()).status).toBe(200)
  })

  test('in a full event returns 409, and works once there is room', async () => {
    const event = await createEvent(api, { photo_cap: 1 })
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg({ seed: 5 }))
    await uploadPhotos(api, event.id, 1)
    expectProblem(await upload.complete(), 409, 'PHOTO_CAP_REACHED')
    await api.patch(`/api/v1/events/${event.id}`, { photo_cap: 2 })
    expect((await upload.complete()).status).toBe(200)
  })

  test('whose chunks are gone from the disk requests all of them again', { tags: 'storage' }, async () => {
    const event = await createEvent(api)
    const bytes = await jpeg({ seed: 6 })
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), bytes)
    for (const name of await listChunkFiles(event.id)) await openStoredFile(service, name).remove()
    const rejected = await upload.complete()
    expectProblem(rejected, 400, 'MISSING_CHUNKS')
    expect(rejected.body.missing).toEqual([0])
    expect((await upload.status()).body).toMatchObject({ receivedIndexes: [], status: 'in_progress' })
    await upload.chunk(0, bytes)
    expect((await upload.complete()).status).toBe(200)
  })
})

describe('a photo can be replaced', () => {
  test.each(['at init', 'at complete'])('by the file that names it %s, and keeps its id', async (when) => {
    const event = await createEvent(api, { photo_cap: 1 })
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const [before] = await listPhotos(event.id)
    if (when === 'at complete') await api.patch(`/api/v1/events/${event.id}`, { photo_cap: 2 })
    const replaces = { replaces_photo_id: photoId }
    const bytes = await jpeg({ seed: 7 })
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), bytes, when === 'at init' ? replaces : {})
    const { body } = await upload.complete(when === 'at init' ? {} : replaces)
    expect(body.photos).toMatchObject([{ id: photoId, size_bytes: bytes.length, original_filename: 'large.jpg' }])
    expect(body.photos[0].source_filename).toBe(before.source_filename)
    expect((await upload.complete()).body).toEqual(body)
    expect(await listPhotos(event.id)).toHaveLength(1)
  })

  test('only in the same event and by a file of its media type; the upload stays as it was', async () => {
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const [foreign] = await uploadPhotos(api, (await createEvent(api)).id, 1)
    await changeDatabase(service, (stored) =>
      stored.prepare(`update photos set media_type = 'video' where id = ?`).run(photoId),
    )
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg({ seed: 9 }))
    expectProblem(await upload.complete({ replaces_photo_id: photoId }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectProblem(await upload.complete({ replaces_photo_id: foreign }), 404, 'NOT_FOUND')
    expectInvalidField(await upload.complete({ replaces_photo_id: 'x' }), 'replaces_photo_id')
    expect((await upload.status()).body.status).toBe('in_progress')
    expect((await upload.complete()).status).toBe(200)
  })
})

describe('the content', () => {
  test('decides type and stored extension within its media type', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await picture('png'))
    const [photo] = (await upload.complete()).body.photos
    expect(photo).toMatchObject({ mime_type: 'image/png', original_filename: 'large.jpg' })
    expect(photo.filename).toMatch(/\.png$/)
    const { headers } = await api.get(`/api/v1/events/${event.id}/photos/${photo.id}/download`)
    expect(headers.get('content-type')).toBe('image/png')
  })

  test('that is rejected ends the upload permanently and leaves no files', async () => {
    const event = await createEvent(api)
    const kept = await listStoredFiles(service)
    for (const [bytes, status, code] of [
      [Buffer.from('words, not a picture'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [await animatedGif(), 415, 'FILE_TYPE_NOT_ALLOWED'],
      [Buffer.from((await jpeg({ width: 900, height: 600 })).subarray(0, 1000)), 422, 'UNREADABLE_IMAGE'],
    ] as const) {
      const upload = await sendAllChunks(admin, adminUploadsPath(event.id), bytes)
      for (let round = 0; round < 2; round++) expectProblem(await upload.complete(), status, code)
      expectProblem(await upload.chunk(0, bytes), 409, 'INVALID_STATE')
      expect((await upload.status()).body.status).toBe('failed')
    }
    expect(await listPhotos(event.id)).toEqual([])
    expect(await listStoredFiles(service)).toEqual(kept)
  })
})
