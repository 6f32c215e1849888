import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, loadPhotoRows, storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { api, admin } = service
let event: TestEvent
let photoId: number
let guest: TestClient
beforeEach(async () => {
  event = await createEvent(api)
  photoId = (await uploadPhotos(api, event.id, 3))[1] as number
  guest = await enterAsGuest(service, event)
})

type Photo = Record<string, unknown> & { id: number }
const readPhoto = async (id = photoId): Promise<Photo> =>
  (await admin.get(`/api/admin/photos/${event.id}/photo/${id}`)).body
const replace = (bytes: Buffer<ArrayBuffer>, options: { name?: string; type?: string; fields?: object } = {}) =>
  api.upload(event.id, bytes, { ...options, fields: { replaces_photo_id: photoId, ...options.fields } })
const loadOriginal = async () => (await guest.get(`/api/gallery/${event.slug}/photo/${photoId}`)).bytes

describe('a replace', () => {
  test('returns 200 {replaced: true, photo} with the names before and after', async () => {
    const before = await readPhoto()
    const { status, body } = await replace(await jpeg({ seed: 9 }), { name: 'retouched.jpg' })
    expect(status).toBe(200)
    expect(body.replaced).toBe(true)
    expect(body.photo).toMatchObject({
      id: photoId,
      original_filename: 'retouched.jpg',
      source_filename: 'photo-2.jpg',
      previous_filename: before.filename,
    })
    expect(body.photo.filename).toMatch(/^\d{13}_[0-9a-f]{8}\.jpg$/)
    expect(body.photo.filename).not.toBe(before.filename)
  })

  test('keeps identity, position, upload time, category, visibility; the file and its metadata are new', async () => {
    const [ceremony] = (await admin.get('/api/admin/categories/global')).body
    await admin.patch(`/api/admin/photos/${event.id}/photos/${photoId}`, { category_id: ceremony.id })
    const order = (await api.get(`/api/v1/events/${event.id}/photos`)).body.photos.map(({ id }: Photo) => id)
    const before = await readPhoto()
    await replace(await jpeg({ seed: 9, width: 30, height: 90 }))
    const after = await readPhoto()
    for (const key of ['id', 'uploaded_at', 'source_filename', 'category_id', 'type', 'visibility', 'uploaded_by']) {
      expect(after[key]).toEqual(before[key])
    }
    expect(after).toMatchObject({ width: 30, height: 90 })
    for (const key of ['filename', 'content_hash', 'thumbnail_path']) expect(after[key]).not.toEqual(before[key])
    const { body } = await api.get(`/api/v1/events/${event.id}/photos`)
    expect(body.photos.map(({ id }: Photo) => id)).toEqual(order)
    expect(body.pagination.total).toBe(3)
  })

  test('is visible to guests at once, although the old one was cached', async () => {
    const loadThumbnail = () => guest.get(`/api/gallery/${event.slug}/thumbnail/${photoId}`)
    const old = [await loadThumbnail(), await loadThumbnail()].at(-1)
    const bytes = await jpeg({ seed: 9 })
    await replace(bytes)
    expect((await loadOriginal()).equals(bytes)).toBe(true)
    const fresh = await loadThumbnail()
    expect(fresh.headers.get('etag')).not.toBe(old?.headers.get('etag'))
    expect(fresh.bytes.equals(old?.bytes ?? Buffer.alloc(0))).toBe(false)
  })

  test('with another image type changes type and extension', async () => {
    const { body } = await replace(await picture('png'))
    expect(body.photo).toMatchObject({ mime_type: 'image/png' })
    expect(body.photo.filename).toMatch(/\.png$/)
  })

  test('counts the new size', async () => {
    const bytes = await jpeg({ seed: 9, width: 300, height: 200 })
    await replace(bytes)
    const { photos } = (await api.get(`/api/v1/events/${event.id}/photos`)).body
    const total_size = photos.reduce((sum: number, photo: { size_bytes: number }) => sum + photo.size_bytes, 0)
    expect((await api.get(`/api/v1/events/${event.id}`)).body).toMatchObject({ photo_count: 3, total_size })
  })

  test('is rejected in an archived event', async () => {
    await changeDatabase(service, (stored) =>
      stored.prepare('update events set is_archived = 1 where id = ?').run(event.id),
    )
    expectProblem(await replace(await jpeg({ seed: 9 })), 409, 'EVENT_ARCHIVED')
  })
})

describe('replaces_photo_id', () => {
  test('of another event, or unknown, is 404', async () => {
    const other = await createEvent(api)
    const [theirs] = await uploadPhotos(api, other.id, 1)
    const before = await storedState(service)
    for (const id of [theirs, 999_999]) {
      expectProblem(await replace(await jpeg({ seed: 9 }), { fields: { replaces_photo_id: id } }), 404, 'NOT_FOUND')
    }
    expect(await storedState(service)).toEqual(before)
  })

  test.each(['', ' ', 'abc', '1.5', '-1', '0', '007', '1e3x', '9007199254740992'])(
    '%j is not an id: 400',
    async (replaces_photo_id) => {
      const before = await storedState(service)
      expectInvalidField(await replace(await jpeg(), { fields: { replaces_photo_id } }), 'replaces_photo_id')
      expect(await storedState(service)).toEqual(before)
    },
  )
})

describe('a failed replace keeps the old photo', () => {
  test.each<[what: string, bytesOf: () => Promise<Buffer>, status: number, code: string]>([
    ['text under an image name', async () => Buffer.from('no picture at all'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no bytes', async () => Buffer.alloc(0), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['half a JPEG header', async () => (await jpeg()).subarray(0, 30), 422, 'UNREADABLE_IMAGE'],
  ])('%s', async (_what, bytesOf, status, code) => {
    const before = await storedState(service)
    const bytesBefore = await loadOriginal()
    expectProblem(await replace(Buffer.from(await bytesOf())), status, code)
    expect(await storedState(service)).toEqual(before)
    expect((await loadOriginal()).equals(bytesBefore)).toBe(true)
  })

  test('a category of another event', async () => {
    const other = await createEvent(api)
    const { body } = await admin.post('/api/admin/categories', { name: 'Theirs', event_id: other.id })
    const before = await storedState(service)
    const answer = await replace(await jpeg({ seed: 9 }), { fields: { category_id: body.id } })
    expectProblem(answer, 400, 'INVALID_CATEGORY')
    expect(await storedState(service)).toEqual(before)
  })
})

test('two simultaneous replaces leave one consistent photo', async () => {
  for (let round = 0; round < 5; round++) {
    const candidates = [await jpeg({ seed: 20 + round, width: 33 }), await jpeg({ seed: 40 + round, width: 44 })]
    const answers = await Promise.all(candidates.map((bytes) => replace(bytes)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const photo = await readPhoto()
    const winner = answers.findIndex(({ body }) => body.photo.filename === photo.filename)
    expect(photo).toMatchObject({ width: [33, 44][winner], size_bytes: candidates[winner]?.length })
    expect((await loadOriginal()).equals(candidates[winner] ?? Buffer.alloc(0))).toBe(true)
    const previous = answers.map(({ body }) => body.photo.previous_filename)
    expect(previous).toContain(answers[1 - winner]?.body.photo.filename)
    expect((await guest.get(`/api/gallery/${event.slug}/thumbnail/${photoId}`)).status).toBe(200)
  }
})

test('a photo deleted while it is being replaced stays deleted', async () => {
  const [replaced, deleted] = await Promise.all([
    replace(await jpeg({ seed: 9, width: 2000, height: 2000 })),
    admin.delete(`/api/admin/photos/${event.id}/photos/${photoId}`),
  ])
  expect(deleted.status).toBe(200)
  expect([200, 404]).toContain(replaced.status)
  expect(loadPhotoRows(service).filter((row) => (row as Photo).id === photoId)).toEqual([])
})
