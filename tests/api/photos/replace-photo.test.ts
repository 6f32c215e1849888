import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { loadPhotoRows, storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles, type UploadFile } from '../../support/fixtures/guest-uploads.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
let event: TestEvent
let photoId: number
let guest: TestClient
beforeEach(async () => {
  event = await createEvent(api)
  photoId = (await uploadPhotos(api, event.id, 2))[0] as number
  guest = await enterAsGuest(service, event)
})

type Photo = Record<string, unknown> & { id: number; size_bytes: number }
const readPhoto = async (): Promise<Photo> => (await admin.get(`/api/admin/photos/${event.id}/photo/${photoId}`)).body
const replace = (bytes: Buffer<ArrayBuffer>, options: { name?: string; type?: string; fields?: object } = {}) =>
  api.upload(event.id, bytes, { ...options, fields: { replaces_photo_id: photoId, ...options.fields } })
const replaceAsOperator = (file: UploadFile, id = photoId, field = 'photo') =>
  sendFiles(admin, `/api/admin/photos/${event.id}/photos/${id}/replace`, [file], { field })
const getMedia = (route: string) => guest.get(`/api/gallery/${event.slug}/${route}/${photoId}`)

const routes: Record<string, (file: UploadFile) => ReturnType<typeof replace>> = {
  'the public API': ({ bytes, name }) => replace(bytes as Buffer<ArrayBuffer>, { name }),
  'the admin API': (file) => replaceAsOperator(file),
}
test.each(Object.entries(routes))(
  'by %s, a replace keeps identity, position, first name, times, category and marks; the file and its metadata are new',
  { tags: 'storage' },
  async (_api, send) => {
    const [ceremony] = (await admin.get('/api/admin/categories/global')).body
    await admin.patch(`/api/admin/photos/${event.id}/photos/${photoId}`, { category_id: ceremony.id })
    await admin.put(`/api/admin/photos/${event.id}/photos/${photoId}/mark`, { rating: 3 })
    const before = await readPhoto()
    const oldThumbnail = [await getMedia('thumbnail'), await getMedia('thumbnail')].at(-1)
    const bytes = await jpeg({ seed: 9, width: 30, height: 90 })
    const { status, body } = await send({ bytes, name: 'retouched.jpg' })
    expect(status).toBe(200)
    const { awaits_review: _, guest_name: __, ...after } = await readPhoto()
    expect(body).toEqual({ replaced: true, photo: { ...after, previous_filename: before.filename } })
    expect(after).toMatchObject({ original_filename: 'retouched.jpg', source_filename: 'photo-1.jpg' })
    expect(after).toMatchObject({ width: 30, height: 90, my_rating: 3, size_bytes: bytes.length })
    for (const key of ['id', 'uploaded_at', 'category_id', 'type', 'visibility', 'uploaded_by']) {
      expect(after[key]).toEqual(before[key])
    }
    expect(after.filename).toMatch(/^\d{13}_[0-9a-f]{8}\.jpg$/)
    for (const key of ['filename', 'content_hash', 'thumbnail_path']) expect(after[key]).not.toEqual(before[key])

    const { photos, pagination } = (await api.get(`/api/v1/events/${event.id}/photos`)).body
    expect([photos[0].id, pagination.total]).toEqual([photoId, 2])
    const total_size = photos[0].size_bytes + photos[1].size_bytes
    expect((await api.get(`/api/v1/events/${event.id}`)).body).toMatchObject({ photo_count: 2, total_size })
    // Guests see the new picture at once, although the old one was cached.
    expect((await getMedia('photo')).bytes.equals(bytes)).toBe(true)
    const thumbnail = await getMedia('thumbnail')
    expect(thumbnail.headers.get('etag')).not.toBe(oldThumbnail?.headers.get('etag'))
    expect(thumbnail.bytes.equals(oldThumbnail?.bytes ?? Buffer.alloc(0))).toBe(false)
  },
)

test('another image type changes type and extension', async () => {
  const { body } = await replace(await picture('png'))
  expect(body.photo).toMatchObject({ mime_type: 'image/png', filename: expect.stringMatching(/\.png$/) })
})

test('a failed replace leaves the old photo whole', async () => {
  const other = await createEvent(api)
  const [theirs = 0] = await uploadPhotos(api, other.id, 1)
  const { body: category } = await admin.post('/api/admin/categories', { name: 'Theirs', event_id: other.id })
  const before = await storedState(service)
  const bytesBefore = (await getMedia('photo')).bytes
  const text = Buffer.from('no picture at all')
  const bytes = await jpeg({ seed: 9 })
  expectProblem(await replace(text), 415, 'UNSUPPORTED_MEDIA_TYPE')
  expectProblem(await replace(Buffer.alloc(0)), 415, 'UNSUPPORTED_MEDIA_TYPE')
  expectProblem(await replace(Buffer.from(bytes.subarray(0, 30))), 422, 'UNREADABLE_IMAGE')
  expectProblem(await replace(bytes, { fields: { category_id: category.id } }), 400, 'INVALID_CATEGORY')
  const textFile = { bytes: text, name: 'a.jpg' }
  expectProblem(await replaceAsOperator(textFile), 415, 'UNSUPPORTED_MEDIA_TYPE')
  expectProblem(await replaceAsOperator({ ...textFile, type: 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  const file = { bytes, name: 'a.jpg' }
  expectInvalidField(await replaceAsOperator(file, photoId, 'picture'), 'photo')
  for (const id of [theirs, 999_999]) {
    expectProblem(await replace(bytes, { fields: { replaces_photo_id: id } }), 404, 'NOT_FOUND')
    expectProblem(await replaceAsOperator(file, id), 404, 'NOT_FOUND')
  }
  for (const replaces_photo_id of ['', ' ', 'abc', '1.5', '-1', '0', '007', '9007199254740992']) {
    expectInvalidField(await replace(bytes, { fields: { replaces_photo_id } }), 'replaces_photo_id')
  }
  expect(await storedState(service)).toEqual(before)
  expect((await getMedia('photo')).bytes.equals(bytesBefore)).toBe(true)
  await api.post(`/api/v1/events/${event.id}/archive`, {})
  expectProblem(await replace(bytes), 409, 'EVENT_ARCHIVED')
  expectProblem(await replaceAsOperator(file), 409, 'EVENT_ARCHIVED')
})

describe('at the same time', () => {
  test('two replaces leave one consistent photo', { tags: 'database' }, async () => {
    for (let round = 0; round < 3; round++) {
      const candidates = [await jpeg({ seed: 20 + round, width: 33 }), await jpeg({ seed: 40 + round, width: 44 })]
      const answers = await Promise.all(candidates.map((bytes) => replace(bytes)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const photo = await readPhoto()
      const winner = answers.findIndex(({ body }) => body.photo.filename === photo.filename)
      expect(photo).toMatchObject({ width: [33, 44][winner], size_bytes: candidates[winner]?.length })
      expect((await getMedia('photo')).bytes.equals(candidates[winner] ?? Buffer.alloc(0))).toBe(true)
      const previous = answers.map(({ body }) => body.photo.previous_filename)
      expect(previous).toContain(answers[1 - winner]?.body.photo.filename)
      expect((await getMedia('thumbnail')).status).toBe(200)
    }
  })

  test('a replace and a delete leave no photo', async () => {
    const [replaced, deleted] = await Promise.all([
      replace(await jpeg({ seed: 9, width: 2000, height: 2000 })),
      admin.delete(`/api/admin/photos/${event.id}/photos/${photoId}`),
    ])
    expect(deleted.status).toBe(200)
    expect([200, 404]).toContain(replaced.status)
    expect(loadPhotoRows(service).filter((row) => (row as Photo).id === photoId)).toEqual([])
  })
})
