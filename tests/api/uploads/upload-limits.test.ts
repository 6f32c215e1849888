import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { loadPhotoRows, storedState } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg, jpegOfSize } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const megabyte = 1_048_576
const service = await serviceForFile()
const { api, admin } = service
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

describe('the size of a file', () => {
  test('at the limit is accepted, one byte more is 413 with the limit in the text', async () => {
    await admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
    expect((await api.upload(event.id, await jpegOfSize(megabyte))).status).toBe(201)
    const before = await storedState(service)
    const rejected = await api.upload(event.id, await jpegOfSize(megabyte + 1))
    expectProblem(rejected, 413, 'FILE_TOO_LARGE')
    expect(rejected.body.error).toBe('File too large. Maximum size is 1 MB per file.')
    expect(await storedState(service)).toEqual(before)
    await admin.put('/api/admin/settings', { general_max_file_size_mb: 100 })
  })

  test('excludes the other fields of the form', async () => {
    await admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
    const fields = { note: 'x'.repeat(5_000) }
    expect((await api.upload(event.id, await jpegOfSize(megabyte), { fields })).status).toBe(201)
    await admin.put('/api/admin/settings', { general_max_file_size_mb: 100 })
  })

  test('is 100 MB at most, even if the setting is higher', async () => {
    await admin.put('/api/admin/settings', { general_max_file_size_mb: 500 })
    const rejected = await api.upload(event.id, await jpegOfSize(100 * megabyte + 1))
    expectProblem(rejected, 413, 'FILE_TOO_LARGE')
    expect(rejected.body.error).toBe('File too large. Maximum size is 100 MB per file.')
    await admin.put('/api/admin/settings', { general_max_file_size_mb: 100 })
  })
})

describe('content_hash', () => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
  const hashTree = (bytes: Buffer) => {
    const blocks = Array.from({ length: Math.ceil(bytes.length / 10_485_760) }, (_, index) =>
      sha256(bytes.subarray(index * 10_485_760, (index + 1) * 10_485_760)),
    )
    return sha256(Buffer.concat(blocks)).toString('hex')
  }

  test.each([1_000, 10_485_760, 10_485_761])(
    'is SHA-256 over the SHA-256 digests of the 10,485,760-byte blocks: %i bytes',
    async (sizeBytes) => {
      const bytes = await jpegOfSize(sizeBytes)
      const { body } = await api.upload(event.id, bytes)
      expect(body.content_hash).toBe(hashTree(bytes))
    },
  )
})

describe('category_id', () => {
  test('accepts a global category and one of the event', async () => {
    const [ceremony] = (await admin.get('/api/admin/categories/global')).body
    const { body: own } = await admin.post('/api/admin/categories', { name: 'Dance', event_id: event.id })
    for (const { id, name } of [ceremony, own]) {
      const { body } = await api.upload(event.id, await jpeg(), { fields: { category_id: id } })
      expect(body).toMatchObject({ category_id: id, category: name, auto_categorized: false })
    }
  })

  test('of another event, or unknown, is 400 INVALID_CATEGORY', async () => {
    const other = await createEvent(api)
    const { body: theirs } = await admin.post('/api/admin/categories', { name: 'Theirs', event_id: other.id })
    const before = await storedState(service)
    for (const category_id of [theirs.id, 999_999]) {
      expectProblem(await api.upload(event.id, await jpeg(), { fields: { category_id } }), 400, 'INVALID_CATEGORY')
    }
    expect(await storedState(service)).toEqual(before)
  })

  test.each(['abc', '1.5', '-1', '0', '1; drop table photos', '9007199254740992', 'uncategorized'])(
    '%j is not a category number: 400 VALIDATION_ERROR',
    async (category_id) => {
      const before = await storedState(service)
      expectInvalidField(await api.upload(event.id, await jpeg(), { fields: { category_id } }), 'category_id')
      expect(await storedState(service)).toEqual(before)
    },
  )
})

describe('photo_cap', () => {
  test('a photo above the cap is 409 PHOTO_CAP_REACHED', async () => {
    const { id } = await createEvent(api, { photo_cap: 2 })
    await uploadPhotos(api, id, 2)
    const files = await listStoredFiles(service)
    expectProblem(await api.upload(id, await jpeg()), 409, 'PHOTO_CAP_REACHED')
    expect(await listStoredFiles(service)).toEqual(files)
  })

  test('50 uploads at once into a cap of 10 leave exactly 10 photos', async () => {
    const { id } = await createEvent(api, { photo_cap: 10 })
    const rows = loadPhotoRows(service).length
    const files = (await listStoredFiles(service)).length
    const bytes = await jpeg()
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.upload(id, bytes)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 409, 'PHOTO_CAP_REACHED')
    expect((await api.get(`/api/v1/events/${id}/photos`)).body.pagination.total).toBe(10)
    expect(loadPhotoRows(service)).toHaveLength(rows + 10)
    expect(await listStoredFiles(service)).toHaveLength(files + 20)
  })

  test('a replace is not limited', async () => {
    const { id } = await createEvent(api, { photo_cap: 1 })
    const [photoId] = await uploadPhotos(api, id, 1)
    const fields = { replaces_photo_id: photoId as number }
    expect((await api.upload(id, await jpeg({ seed: 9 }), { fields })).status).toBe(200)
  })

  test('a deleted photo frees its place', async () => {
    const { id } = await createEvent(api, { photo_cap: 1 })
    const [photoId] = await uploadPhotos(api, id, 1)
    expect((await admin.delete(`/api/admin/photos/${id}/photos/${photoId}`)).status).toBe(200)
    expect((await api.upload(id, await jpeg())).status).toBe(201)
  })
})
