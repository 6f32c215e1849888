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

test('a session has the number of chunks of its file and expires after 24 hours; drafts accept files too', async () => {
  const event = await createEvent(api, { is_draft: true })
  const before = Date.now()
  const { body } = await init(event, { fileSize: 2 * chunkBytes + 1 })
  expect(body).toMatchObject({ uploadId: expect.stringMatching(/^\S{16,64}$/), expectedChunks: 3 })
  const startedAt = Date.parse(body.expiresAt) - 86_400_000
  expect(startedAt).toBeGreaterThanOrEqual(before)
  expect(startedAt).toBeLessThanOrEqual(Date.now())
  for (const [fileSize, totalChunks] of [
    [1, 1],
    [chunkBytes, 1],
    [chunkBytes + 1, 2],
  ]) {
    for (const mimeType of ['image/png', 7, null, { type: 'video/mp4' }]) {
      const { status, body } = await init(event, { fileSize, totalChunks, mimeType })
      expect([status, body.expectedChunks]).toEqual([200, totalChunks])
    }
  }
})

describe('the checks of chunked init', () => {
  test('reject a wrong body', async () => {
    const event = await createEvent(api)
    const wrong: Record<string, unknown[]> = {
      fileSize: [0, -1, 1.5, '1000', 2 ** 60, undefined],
      filename: [undefined, '', 'a'.repeat(10_001), 'a\0.jpg', 'a\ud83d.jpg'],
      totalChunks: ['1', -1],
    }
    for (const [path, values] of Object.entries(wrong)) {
      for (const value of values) expectInvalidField(await init(event, { [path]: value }), path)
    }
    for (const totalChunks of [0, 2, 4]) {
      const rejected = await init(event, { fileSize: 2 * chunkBytes + 1, totalChunks })
      expectInvalidField(rejected, 'totalChunks')
      expect(rejected.body.error).toBe('totalChunks must be 3.')
    }
  })

  test('apply a separate limit to videos, and the limit of photos to unknown extensions', async () => {
    const event = await createEvent(api)
    const text = async (filename: string) => (await init(event, { filename, fileSize: 2 ** 40 })).body.error
    expect(await text('clip.mp4')).toBe('File too large. Maximum size is 500 MB per file.')
    expect(await text('clip.MOV')).toBe('File too large. Maximum size is 500 MB per file.')
    expect(await text('archive.zip')).toBe('File too large. Maximum size is 100 MB per file.')
    expect(await text('noextension')).toBe('File too large. Maximum size is 100 MB per file.')
  })

  test('allow names by their extension', async () => {
    const event = await createEvent(api)
    for (const filename of ['a.gif', 'a.jpg.exe', 'jpg', '.jpg', '  .jpg', '..jpg', 'day/.jpg', 'a', 'a.', 'a.jp']) {
      const { status, body } = await init(event, { filename })
      expect([status, body.error], filename).toEqual([400, 'File type not allowed'])
    }
    for (const filename of ['a.JPG', 'a.b.PNG', 'day/one.webp', 'a..jpg', '.a.jpg', ' a.jpg ', 'a\u0001.jpg']) {
      expect((await init(event, { filename })).status, filename).toBe(200)
    }
  })

  test('accept a name of 10,000 characters, and shorten it as in any upload', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg(), {
      filename: `${'x'.repeat(9_995)}.jpeg`,
    })
    const { body } = await upload.complete()
    expect(body.photos).toMatchObject([{ original_filename: `${'x'.repeat(250)}.jpeg` }])
  })

  test('reject a new file in a full event, but accept a replacement', async () => {
    const event = await createEvent(api, { photo_cap: 1 })
    const [photoId] = await uploadPhotos(api, event.id, 1)
    expectProblem(await init(event, {}), 409, 'PHOTO_CAP_REACHED')
    expect((await init(event, { replaces_photo_id: photoId })).status).toBe(200)
  })

  test('follow the settings, also beyond 100 MB, and require a photo to replace of the same event and media type', async () => {
    const own = await serviceForTest()
    const event = await createEvent(own.api)
    const [photo] = await uploadPhotos(own.api, event.id, 1)
    const [foreign] = await uploadPhotos(own.api, (await createEvent(own.api)).id, 1)
    const initOwn = (body: object) =>
      own.admin.post(`${adminUploadsPath(event.id)}/init`, { filename: 'a.jpg', fileSize: 1, ...body })
    await own.admin.put('/api/admin/settings', { general_max_file_size_mb: 300, general_allowed_file_types: 'jpg,mp4' })
    expect((await initOwn({ fileSize: 300 * megabyte })).status).toBe(200)
    const video = await initOwn({ filename: 'clip.mp4', replaces_photo_id: photo })
    expectProblem(video, 415, 'UNSUPPORTED_MEDIA_TYPE')
    for (const id of [foreign, 999_999]) {
      expectProblem(await initOwn({ replaces_photo_id: id }), 404, 'NOT_FOUND')
    }
    await own.admin.put('/api/admin/settings', { general_max_file_size_mb: 1, general_allowed_file_types: 'png' })
    expectProblem(await initOwn({ fileSize: megabyte + 1 }), 400, 'FILE_TOO_LARGE')
    expectProblem(await initOwn({}), 400, 'FILE_TYPE_NOT_ALLOWED')
    expect((await initOwn({ filename: 'a.png' })).status).toBe(200)
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
