import { describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { StorageFull } from '../../../server/platform/storage/storage.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForTest, sharedService } from '../../support/service/test-service.ts'
import { adminUploadsPath, sendAllChunks } from '../../support/uploads/chunked-uploads.ts'

const service = await sharedService()
const { admin, api } = service
const megabyte = 2 ** 20

const init = ({ id }: TestEvent, body: Record<string, unknown>) =>
  admin.post(`${adminUploadsPath(id)}/init`, { filename: 'large.jpg', fileSize: 1000, ...body })

describe('chunked init', () => {
  test('returns the session, the chunk size, the number of chunks and its expiry after 24 hours', async () => {
    const event = await createEvent(api)
    const before = Date.now()
    const { status, body } = await init(event, { fileSize: 2 * chunkBytes + 1 })
    expect(status).toBe(200)
    expect(body).toEqual({
      uploadId: expect.stringMatching(/^\S{16,64}$/),
      chunkSize: 10_485_760,
      expectedChunks: 3,
      expiresAt: expect.any(String),
    })
    const startedAt = Date.parse(body.expiresAt) - 86_400_000
    expect(startedAt).toBeGreaterThanOrEqual(before)
    expect(startedAt).toBeLessThanOrEqual(Date.now())
  })

  test.each([
    [1, 1],
    [chunkBytes, 1],
    [chunkBytes + 1, 2],
  ])('a file of %i bytes has %i chunks', async (fileSize, totalChunks) => {
    const { status, body } = await init(await createEvent(api), { fileSize, totalChunks })
    expect([status, body.expectedChunks]).toEqual([200, totalChunks])
  })

  test.each(['image/png', 7, null, { type: 'video/mp4' }])('ignores a legacy mimeType of %j', async (mimeType) => {
    expect((await init(await createEvent(api), { mimeType })).status).toBe(200)
  })

  test('a draft accepts files too', async () => {
    expect((await init(await createEvent(api, { is_draft: true }), {})).status).toBe(200)
  })
})

describe('the checks of chunked init', () => {
  test.each([
    ['fileSize', { fileSize: 0 }],
    ['fileSize', { fileSize: -1 }],
    ['fileSize', { fileSize: 1.5 }],
    ['fileSize', { fileSize: '1000' }],
    ['fileSize', { fileSize: 2 ** 60 }],
    ['fileSize', { fileSize: undefined }],
    ['filename', { filename: undefined }],
    ['filename', { filename: '' }],
    ['filename', { filename: 'a'.repeat(10_001) }],
    ['filename', { filename: 'a\0.jpg' }],
    ['filename', { filename: 'a\ud83d.jpg' }],
    ['totalChunks', { totalChunks: '1' }],
    ['totalChunks', { totalChunks: -1 }],
  ])('reject a body whose %s is wrong: %j', async (path, body) => {
    expectInvalidField(await init(await createEvent(api), body), path)
  })

  test('accept exactly the largest size; one byte more returns 400 with the limit in MB', async () => {
    const event = await createEvent(api)
    expect((await init(event, { fileSize: 100 * megabyte })).status).toBe(200)
    const rejected = await init(event, { fileSize: 100 * megabyte + 1 })
    expectProblem(rejected, 400, 'FILE_TOO_LARGE')
    expect(rejected.body.error).toBe('File too large. Maximum size is 100 MB per file.')
  })

  test('apply a separate limit to videos, and the limit of photos to unknown extensions', async () => {
    const event = await createEvent(api)
    const text = async (filename: string) => (await init(event, { filename, fileSize: 2 ** 40 })).body.error
    expect(await text('clip.mp4')).toBe('File too large. Maximum size is 500 MB per file.')
    expect(await text('clip.MOV')).toBe('File too large. Maximum size is 500 MB per file.')
    expect(await text('archive.zip')).toBe('File too large. Maximum size is 100 MB per file.')
    expect(await text('noextension')).toBe('File too large. Maximum size is 100 MB per file.')
  })

  test('follow the settings, also beyond the 100 MB of multipart uploads', async () => {
    const own = await serviceForTest()
    const event = await createEvent(own.api)
    const initOwn = (body: object) =>
      own.admin.post(`${adminUploadsPath(event.id)}/init`, { filename: 'a.jpg', fileSize: 1, ...body })
    await own.admin.put('/api/admin/settings', { general_max_file_size_mb: 300 })
    expect((await initOwn({ fileSize: 300 * megabyte })).status).toBe(200)
    await own.admin.put('/api/admin/settings', { general_max_file_size_mb: 1, general_allowed_file_types: 'png' })
    expectProblem(await initOwn({ fileSize: megabyte + 1 }), 400, 'FILE_TOO_LARGE')
    expectProblem(await initOwn({}), 400, 'FILE_TYPE_NOT_ALLOWED')
    expect((await initOwn({ filename: 'a.png' })).status).toBe(200)
  })

  test.each(['a.gif', 'a.mp4', 'a.jpg.exe', 'jpg', '.jpg', '  .jpg', '..jpg', 'day/.jpg', 'a', 'a.', 'a.jp'])(
    'the name %j is not allowed',
    async (filename) => {
      const rejected = await init(await createEvent(api), { filename })
      expectProblem(rejected, 400, 'FILE_TYPE_NOT_ALLOWED')
      expect(rejected.body.error).toBe('File type not allowed')
    },
  )

  test.each([
    'a.JPG',
    'a.jpeg',
    'a.b.PNG',
    'day/one.webp',
    'a..jpg',
    'Party 8 p.m..jpg',
    '.a.jpg',
    ' a.jpg ',
    'a\u0001.jpg',
  ])('the name %j is allowed', async (filename) => {
    expect((await init(await createEvent(api), { filename })).status).toBe(200)
  })

  test('accept a name of 10,000 characters, and shorten it as in any upload', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg(), {
      filename: `${'x'.repeat(9_995)}.jpeg`,
    })
    const { body } = await upload.complete()
    expect(body.photos).toMatchObject([{ original_filename: `${'x'.repeat(250)}.jpeg` }])
  })

  test.each([0, 2, 4])('require the right number in totalChunks, and return it: not %i', async (totalChunks) => {
    const rejected = await init(await createEvent(api), { fileSize: 2 * chunkBytes + 1, totalChunks })
    expectInvalidField(rejected, 'totalChunks')
    expect(rejected.body.error).toBe('totalChunks must be 3.')
  })

  test('reject a new file in a full event, but accept a replacement', async () => {
    const event = await createEvent(api, { photo_cap: 1 })
    const [photoId] = await uploadPhotos(api, event.id, 1)
    expectProblem(await init(event, {}), 409, 'PHOTO_CAP_REACHED')
    expect((await init(event, { replaces_photo_id: photoId })).status).toBe(200)
  })

  test('require a photo to replace of the same event and media type', async () => {
    const event = await createEvent(api)
    const other = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const [foreign] = await uploadPhotos(api, other.id, 1)
    expectProblem(await init(event, { replaces_photo_id: foreign }), 404, 'NOT_FOUND')
    expectProblem(await init(event, { replaces_photo_id: 999_999 }), 404, 'NOT_FOUND')
    const videoResponse = await init(event, { filename: 'clip.mp4', replaces_photo_id: photoId })
    expectProblem(videoResponse, 400, 'FILE_TYPE_NOT_ALLOWED')
    const own = await serviceForTest()
    await own.admin.put('/api/admin/settings', { general_allowed_file_types: 'jpg,mp4' })
    const { id } = await createEvent(own.api)
    const [photo] = await uploadPhotos(own.api, id, 1)
    const clip = { filename: 'clip.mp4', fileSize: 1000, replaces_photo_id: photo }
    expectProblem(await own.admin.post(`${adminUploadsPath(id)}/init`, clip), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('run in the order of the contract: size, extension, number of chunks, photo cap, free space', async () => {
    const space = { isFull: false }
    const fullService = await serviceForTest({
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          ensureSpaceFor: async (bytes) => {
            if (space.isFull) throw new StorageFull()
            await storage.ensureSpaceFor(bytes)
          },
        }),
      },
    })
    const event = await createEvent(fullService.api, { photo_cap: 1 })
    const body: Record<string, unknown> = { filename: 'a.gif', fileSize: 101 * megabyte, totalChunks: 1 }
    const code = async () => (await fullService.admin.post(`${adminUploadsPath(event.id)}/init`, body)).body.code
    await uploadPhotos(fullService.api, event.id, 1)
    space.isFull = true
    expect(await code()).toBe('FILE_TOO_LARGE')
    body.fileSize = 20 * megabyte
    expect(await code()).toBe('FILE_TYPE_NOT_ALLOWED')
    body.filename = 'a.jpg'
    expect(await code()).toBe('VALIDATION_ERROR')
    body.totalChunks = 2
    expect(await code()).toBe('PHOTO_CAP_REACHED')
    await fullService.api.patch(`/api/v1/events/${event.id}`, { photo_cap: 0 })
    expectProblem(await fullService.admin.post(`${adminUploadsPath(event.id)}/init`, body), 507, 'STORAGE_FULL')
    space.isFull = false
    expect((await fullService.admin.post(`${adminUploadsPath(event.id)}/init`, body)).status).toBe(200)
  })
})
