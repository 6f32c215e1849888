import { stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chunkBytes } from '../../contract/chunked-uploads.ts'
import { startService } from '../../server/main.ts'
import { readConfig } from '../../server/platform/config.ts'
import type { Storage } from '../../server/platform/storage/storage.ts'
import { backEndsOf, isOnPostgres, isOnS3 } from '../support/back-ends.ts'
import { adminUploads, initUpload, largeJpeg, openUpload, sendWhole } from '../support/chunked-uploads.ts'
import { createEvent, uploadPhotos } from '../support/events.ts'
import { animatedGif, jpeg, picture } from '../support/pictures.ts'
import { expectInvalid, expectProblem } from '../support/problems.ts'
import { changeDatabase, inDatabase, originalName } from '../support/stored.ts'
import { pathOnDisk, storedFile, storedFiles } from '../support/stored-files.ts'
import { createClient } from '../support/test-client.ts'
import { serviceForFile, serviceForTest, type TestService } from '../support/test-service.ts'
import { announcedOf, subscribe } from '../support/webhooks.ts'

const service = await serviceForFile()
const { admin, api } = service
await subscribe(service)

const photosOf = async (eventId: number, client = api) =>
  (await client.get(`/api/v1/events/${eventId}/photos?limit=100`)).body.photos
const listChunkFiles = async (eventId: number, of = service) =>
  (await storedFiles(of)).filter((name) => name.startsWith(`parted/events/${eventId}/`))

describe('completing an upload', () => {
  test('names the missing chunks, the first 1000 of them', async () => {
    const event = await createEvent(api)
    const file = await largeJpeg(3 * chunkBytes)
    const upload = await initUpload(admin, adminUploads(event.id), { fileSize: file.length })
    await upload.chunk(1, file.subarray(chunkBytes, 2 * chunkBytes))
    const rejected = await upload.complete()
    expectProblem(rejected, 400, 'MISSING_CHUNKS')
    expect(rejected.body.missing).toEqual([0, 2])
    expect(await photosOf(event.id)).toEqual([])

    // The declared size is too large for a real disk.
    const wrapStorage = (storage: Storage): Storage => ({ ...storage, ensureSpaceFor: async () => undefined })
    const own = await serviceForTest({ edges: { wrapStorage } })
    await own.admin.put('/api/admin/settings', { general_max_file_size_mb: 100_000 })
    const { id } = await createEvent(own.api)
    const huge = await initUpload(own.admin, adminUploads(id), { fileSize: 4000 * chunkBytes })
    expect((await huge.complete()).body.missing).toEqual(Array.from({ length: 1000 }, (_, index) => index))
  })

  test('counts a chunk as missing while it is being replaced', async () => {
    const [reached, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const gate = { stops: false }
    const own = await serviceForTest({
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          async ensureSpaceFor() {
            if (!gate.stops) return
            reached.resolve()
            await waiting.promise
          },
        }),
      },
    })
    const event = await createEvent(own.api)
    const bytes = await jpeg()
    const upload = await sendWhole(own.admin, adminUploads(event.id), bytes)
    gate.stops = true
    const again = upload.chunk(0, bytes)
    await reached.promise
    expect((await upload.complete()).body.missing).toEqual([0])
    waiting.resolve()
    expect((await again).status).toBe(200)
    expect((await upload.complete()).status).toBe(200)
  })

  test('twice or at the same time returns the same photo, and publishes it once', async () => {
    const event = await createEvent(api)
    const upload = await sendWhole(admin, adminUploads(event.id), await jpeg({ seed: 1 }))
    const answers = await Promise.all([upload.complete(), upload.complete()])
    answers.push(await upload.complete())
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await photosOf(event.id)).toMatchObject([{ id: answers[0]?.body.photos[0].id, uploaded_by: 'admin' }])
    expect(announcedOf(service, event.id).filter(({ type }) => type === 'photo.uploaded')).toHaveLength(1)
    expect((await upload.status()).body.status).toBe('completed')
    await admin.delete(`/api/admin/photos/${event.id}/photos/${answers[0]?.body.photos[0].id}`)
    expectProblem(await upload.complete(), 404, 'NOT_FOUND')
  })

  // Only a file on disk has an inode that shows whether it was copied.
  if (!isOnS3) {
    test('copies nothing: the file of the chunks becomes the original, and nothing else is left', async () => {
      const event = await createEvent(api)
      const upload = await sendWhole(admin, adminUploads(event.id), await largeJpeg(chunkBytes + 5000))
      const [parted = ''] = await listChunkFiles(event.id)
      const { ino } = await stat(pathOnDisk(service, parted))
      const [photo] = (await upload.complete()).body.photos
      const original = originalName(service, event.id, photo.id)
      expect((await stat(pathOnDisk(service, original))).ino).toBe(ino)
      expect(await listChunkFiles(event.id)).toEqual([])
      expect((await storedFiles(service)).filter((path) => path.startsWith('staging'))).toEqual([])
    })
  }

  test('stores the CRC-32 of a file whose last chunk is shorter than the others', async () => {
    const event = await createEvent(api)
    const file = await largeJpeg(2 * chunkBytes + 5000)
    const upload = await sendWhole(admin, adminUploads(event.id), file)
    const [photo] = (await upload.complete()).body.photos
    const row = inDatabase(service, (stored) => stored.prepare('select crc32 from photos where id = ?').get(photo.id))
    expect(row).toEqual({ crc32: crc32(file) })
  })

  test('works without a body and with null', async () => {
    const event = await createEvent(api)
    for (const body of [undefined, 'null', '{}']) {
      const { path } = await sendWhole(admin, adminUploads(event.id), await jpeg({ seed: 2 }))
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await admin.call('POST', `${path}/complete`, { headers, ...(body && { body }) })
      expect(answer.status).toBe(200)
    }
  })

  test('accepts a category of the event or a global one, null, or one of the two types', async () => {
    const event = await createEvent(api)
    const made = await admin.post('/api/admin/categories', { name: 'Details', event_id: event.id })
    const completeWith = async (category_id: unknown) => {
      const upload = await sendWhole(admin, adminUploads(event.id), await jpeg({ seed: 3 }))
      return (await upload.complete({ category_id })).body.photos[0]
    }
    const unset = { category_id: null, type: null, auto_categorized: false }
    expect(await completeWith(made.body.id)).toMatchObject({ ...unset, category_id: made.body.id })
    expect(await completeWith(null)).toMatchObject(unset)
    expect(await completeWith('individual')).toMatchObject({ ...unset, type: 'individual' })
    expect(await completeWith('collage')).toMatchObject({ ...unset, type: 'collage' })
  })

  test('with a category of another event returns 400 and keeps the upload', async () => {
    const event = await createEvent(api)
    const other = await createEvent(api)
    const made = await admin.post('/api/admin/categories', { name: 'Foreign', event_id: other.id })
    const upload = await sendWhole(admin, adminUploads(event.id), await jpeg({ seed: 4 }))
    expectProblem(await upload.complete({ category_id: made.body.id }), 400, 'INVALID_CATEGORY')
    expectInvalid(await upload.complete({ category_id: 'portrait' }), 'category_id')
    expect((await upload.status()).body.status).toBe('in_progress')
    expect((await upload.complete()).status).toBe(200)
  })

  test('in a full event returns 409, and works once there is room', async () => {
    const event = await createEvent(api, { photo_cap: 1 })
    const upload = await sendWhole(admin, adminUploads(event.id), await jpeg({ seed: 5 }))
    await uploadPhotos(api, event.id, 1)
    expectProblem(await upload.complete(), 409, 'PHOTO_CAP_REACHED')
    await api.patch(`/api/v1/events/${event.id}`, { photo_cap: 2 })
    expect((await upload.complete()).status).toBe(200)
  })

  test('whose chunks are gone from the disk requests all of them again', async () => {
    const event = await createEvent(api)
    const bytes = await jpeg({ seed: 6 })
    const upload = await sendWhole(admin, adminUploads(event.id), bytes)
    for (const name of await listChunkFiles(event.id)) await storedFile(service, name).remove()
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
    const [before] = await photosOf(event.id)
    if (when === 'at complete') await api.patch(`/api/v1/events/${event.id}`, { photo_cap: 2 })
    const replaces = { replaces_photo_id: photoId }
    const bytes = await jpeg({ seed: 7 })
    const upload = await sendWhole(admin, adminUploads(event.id), bytes, when === 'at init' ? replaces : {})
    const { body } = await upload.complete(when === 'at init' ? {} : replaces)
    expect(body.photos).toMatchObject([{ id: photoId, size_bytes: bytes.length, original_filename: 'large.jpg' }])
    expect(body.photos[0].source_filename).toBe(before.source_filename)
    expect((await upload.complete()).body).toEqual(body)
    expect(await photosOf(event.id)).toHaveLength(1)
  })

  test('only by a file of its media type; the upload stays as it was', async () => {
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    await changeDatabase(service, (stored) =>
      stored.prepare(`update photos set media_type = 'video' where id = ?`).run(photoId),
    )
    const upload = await sendWhole(admin, adminUploads(event.id), await jpeg({ seed: 9 }))
    expectProblem(await upload.complete({ replaces_photo_id: photoId }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect((await upload.status()).body.status).toBe('in_progress')
    expect((await upload.complete()).status).toBe(200)
  })

  test('only in the same event; the upload stays as it was', async () => {
    const event = await createEvent(api)
    const other = await createEvent(api)
    const [foreign] = await uploadPhotos(api, other.id, 1)
    const upload = await sendWhole(admin, adminUploads(event.id), await jpeg({ seed: 8 }))
    expectProblem(await upload.complete({ replaces_photo_id: foreign }), 404, 'NOT_FOUND')
    expectInvalid(await upload.complete({ replaces_photo_id: 'x' }), 'replaces_photo_id')
    expect((await upload.complete()).status).toBe(200)
  })
})

describe('the content', () => {
  test('decides type and stored extension within its media type', async () => {
    const event = await createEvent(api)
    const upload = await sendWhole(admin, adminUploads(event.id), await picture('png'))
    const [photo] = (await upload.complete()).body.photos
    expect(photo).toMatchObject({ mime_type: 'image/png', original_filename: 'large.jpg' })
    expect(photo.filename).toMatch(/\.png$/)
  })

  test.each([
    ['that is no image', async () => Buffer.from('words, not a picture'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['of a kind that the settings leave out', () => animatedGif(), 415, 'FILE_TYPE_NOT_ALLOWED'],
    ['that is cut', async () => (await jpeg({ width: 900, height: 600 })).subarray(0, 1000), 422, 'UNREADABLE_IMAGE'],
  ])('%s ends the upload permanently and leaves no files', async (_, content, status, code) => {
    const event = await createEvent(api)
    const kept = await storedFiles(service)
    const bytes = Buffer.from(await content()) as Buffer<ArrayBuffer>
    const upload = await sendWhole(admin, adminUploads(event.id), bytes)
    expectProblem(await upload.complete(), status, code)
    expectProblem(await upload.complete(), status, code)
    expectProblem(await upload.chunk(0, bytes), 409, 'INVALID_STATE')
    expect((await upload.status()).body.status).toBe('failed')
    expect(await photosOf(event.id)).toEqual([])
    expect(await storedFiles(service)).toEqual(kept)
  })

  test('of another media type than the name returns 415', async () => {
    const own = await serviceForTest()
    await own.admin.put('/api/admin/settings', { general_allowed_file_types: 'jpg,mp4' })
    const event = await createEvent(own.api)
    const upload = await sendWhole(own.admin, adminUploads(event.id), await jpeg(), { filename: 'clip.mp4' })
    expectProblem(await upload.complete(), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect((await upload.status()).body.status).toBe('failed')
  })
})

describe('a service that stops while it completes', () => {
  async function restarted({ dataDir }: TestService, token: string | undefined) {
    const environment = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' }
    const again = await startService(readConfig({ ...environment, ...(await backEndsOf(dataDir)) }))
    onTestFinished(() => again.stop())
    return createClient(`http://127.0.0.1:${new URL(again.address).port}`, token)
  }

  test.each([
    ['before the file has its place', 0],
    ['between the file and its row', 1],
  ])('%s leaves an upload that can be completed once', async (_, commitsFirst) => {
    const reached = Promise.withResolvers<void>()
    const dying = await serviceForTest({
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          async commit(files) {
            if (commitsFirst === 1) await storage.commit(files)
            reached.resolve()
            await new Promise(() => undefined)
          },
        }),
      },
    })
    const event = await createEvent(dying.api)
    const file = await largeJpeg(chunkBytes + 100)
    const upload = await sendWhole(dying.admin, adminUploads(event.id), file)
    // There is no response; the connection breaks when the service stops.
    void upload.complete().catch(() => undefined)
    await reached.promise
    expect((await upload.status()).body.status).toBe('completing')
    expectProblem(await upload.chunk(1, file.subarray(chunkBytes)), 409, 'INVALID_STATE')

    const client = await restarted(dying, dying.admin.token)
    const after = openUpload(client, upload.path)
    // On PostgreSQL the second service is another node, which cannot know whether the first one still works.
    expect((await after.status()).body.status).toBe(isOnPostgres ? 'completing' : 'in_progress')
    const completed = await after.complete()
    expect(completed.body.photos).toMatchObject([{ size_bytes: file.length }])
    expect((await after.complete()).body).toEqual(completed.body)
    expect(await photosOf(event.id, dying.api)).toHaveLength(1)
    expect(await listChunkFiles(event.id, dying)).toEqual([])
  })

  test('but continues while another process completes the upload, creates no second photo', async () => {
    const [reached, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = await serviceForTest({
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          async commit(files) {
            reached.resolve()
            await mayGoOn.promise
            await storage.commit(files)
          },
        }),
      },
    })
    const event = await createEvent(slow.api)
    const upload = await sendWhole(slow.admin, adminUploads(event.id), await jpeg())
    const late = upload.complete()
    await reached.promise
    const other = openUpload(await restarted(slow, slow.admin.token), upload.path)
    const { body } = await other.complete()
    const kept = await storedFiles(slow)
    mayGoOn.resolve()
    expect((await late).body).toEqual(body)
    expect(await photosOf(event.id, slow.api)).toHaveLength(1)
    expect((await storedFiles(slow)).filter((path) => path.startsWith('files'))).toEqual(
      kept.filter((path) => path.startsWith('files')),
    )
  })

  test('after the row is stored leaves a photo that completing returns', async () => {
    const first = await serviceForTest()
    const event = await createEvent(first.api)
    const upload = await sendWhole(first.admin, adminUploads(event.id), await jpeg())
    const { body } = await upload.complete()
    const client = await restarted(first, first.admin.token)
    expect((await openUpload(client, upload.path).complete()).body).toEqual(body)
  })
})
