import { beforeAll, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { loadPhotoRows } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg, jpegOfSize } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { computeTreeHash } from '../../support/uploads/chunked-versions.ts'

const service = await sharedService()
const { api, admin } = service
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

test('a file is at most 100 MB, even if the setting is higher', { tags: 'nightly' }, async () => {
  await admin.put('/api/admin/settings', { general_max_file_size_mb: 500 })
  const rejected = await api.upload(event.id, await jpegOfSize(100 * 2 ** 20 + 1))
  await admin.put('/api/admin/settings', { general_max_file_size_mb: 100 })
  expectProblem(rejected, 413, 'FILE_TOO_LARGE')
  expect(rejected.body.error).toBe('File too large. Maximum size is 100 MB per file.')
})

test('content_hash is SHA-256 over the SHA-256 digests of the 10,485,760-byte blocks', async () => {
  for (const sizeBytes of [10_485_760, 10_485_761]) {
    const bytes = await jpegOfSize(sizeBytes)
    expect((await api.upload(event.id, bytes)).body.content_hash).toBe(computeTreeHash(bytes))
  }
})

test('30 uploads at once into a cap of 10 leave exactly 10 photos', { tags: 'database' }, async () => {
  const { id } = await createEvent(api, { photo_cap: 10 })
  const rows = loadPhotoRows(service).length
  const files = (await listStoredFiles(service)).length
  const bytes = await jpeg()
  const answers = await Promise.all(Array.from({ length: 30 }, () => api.upload(id, bytes)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 409, 'PHOTO_CAP_REACHED')
  expect((await api.get(`/api/v1/events/${id}/photos`)).body.pagination.total).toBe(10)
  expect(loadPhotoRows(service)).toHaveLength(rows + 10)
  expect(await listStoredFiles(service)).toHaveLength(files + 20)
})
