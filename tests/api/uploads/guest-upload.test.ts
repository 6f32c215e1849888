import { beforeAll, describe, expect, test } from 'vitest'
import { formHead } from '../../support/clients/multipart.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { sendRaw } from '../../support/clients/raw-http.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { animatedGif, jpeg, jpegOfSize } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, api } = service
await createTestWebhook(service)
let categoryId: number
beforeAll(async () => {
  const { body } = await admin.get('/api/admin/categories/global')
  categoryId = body.find(({ slug }: { slug: string }) => slug === 'guest-uploads').id
})

async function openGallery(body: Record<string, unknown> = {}) {
  const event = await createEvent(api, { allow_user_uploads: true, upload_category_id: categoryId, ...body })
  return { event, guest: await enterAsGuest(service, event) }
}

const uploadPath = ({ slug }: TestEvent): string => `/api/gallery/${slug}/upload`
const createFile = async (seed: number) => ({ bytes: await jpeg({ seed }), name: `party-${seed}.jpg` })
const createFiles = (...seeds: number[]) => Promise.all(seeds.map(createFile))
const listPhotos = async (client: TestClient, { slug }: TestEvent) =>
  (await client.get(`/api/gallery/${slug}/photos`)).body.photos
const listAsOperator = async ({ id }: TestEvent) => (await api.get(`/api/v1/events/${id}/photos`)).body.photos
const listPublished = ({ id }: TestEvent) =>
  listAnnouncedOf(service, id).flatMap(({ type, data }) => (type.startsWith('photo.') ? data : []))

describe('a guest uploads', () => {
  test('several photos: 201 with each, published once, visible to everybody', async () => {
    const { event, guest } = await openGallery()
    // A category of the guest's choice is ignored.
    const fields = { category_id: '1' }
    const answer = await sendFiles(guest, uploadPath(event), await createFiles(1, 2), { fields })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ success: true, uploaded: 2, failed: [] })
    expect(answer.body.photos).toMatchObject([1, 2].map((seed) => ({ original_filename: `party-${seed}.jpg` })))
    const shown = await listPhotos(await enterAsGuest(service, event), event)
    for (const { visibility, ...photo } of answer.body.photos) {
      expect(visibility).toBe('visible')
      expect(shown).toContainEqual(photo)
    }
    const stored = { uploaded_by: 'guest', category_id: categoryId, auto_categorized: true, visibility: 'visible' }
    expect(await listAsOperator(event)).toMatchObject([stored, stored])
    const ids = answer.body.photos.map(({ id }: { id: number }) => id)
    expect(listPublished(event).map(({ photo }) => photo.id)).toEqual(ids)
    // The id of the event may stand in place of its slug.
    expect((await sendFiles(guest, `/api/gallery/${event.id}/upload`, await createFiles(3))).status).toBe(201)
    expectProblem(await sendFiles(guest, '/api/gallery/999999/upload', await createFiles(1)), 404, 'NOT_FOUND')
  })

  test('with moderate_uploads: hidden until an operator reviews them', async () => {
    const { event, guest } = await openGallery({ moderate_uploads: true })
    const { status, body } = await sendFiles(guest, uploadPath(event), await createFiles(1, 2, 3))
    expect([status, body.photos[0].visibility]).toEqual([201, 'hidden'])
    const [shown, hidden, waiting] = body.photos.map(({ id }: { id: number }) => id)
    const list = async () => (await guest.get(`/api/gallery/${event.slug}/photos`)).body
    expect(await list()).toMatchObject({ photos: [], pagination: { total: 0 } })
    for (const kind of ['photo', 'thumbnail', 'download']) {
      expectProblem(await guest.get(`/api/gallery/${event.slug}/${kind}/${shown}`), 404, 'NOT_FOUND')
    }
    expect(listPublished(event)).toHaveLength(3)
    const [mine] = await uploadPhotos(api, event.id, 1)
    for (const [id, visibility] of [
      [mine, 'hidden'],
      [shown, 'visible'],
      [hidden, 'hidden'],
    ]) {
      await admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, { visibility })
    }
    expect(await list()).toMatchObject({ photos: [{ id: shown }], pagination: { total: 1 } })
    const queue = await admin.get(`/api/admin/photos/${event.id}/photos?review=waiting&limit=10`)
    expect(queue.body).toMatchObject({ photos: [{ id: waiting }], pagination: { filtered: 1, total: 4 } })
  })

  test('before the reveal too, and does not see the photo', async () => {
    const { event, guest } = await openGallery({ reveal_at: '2099-01-01' })
    expect((await sendFiles(guest, uploadPath(event), await createFiles(1))).status).toBe(201)
    expect(await listPhotos(guest, event)).toEqual([])
    expect(await listAsOperator(event)).toHaveLength(1)
  })
})

describe('each file is checked separately, as uploads by operators are', () => {
  test('207 with the photos and, by index and name, what was rejected; if all are, the first rejection', async () => {
    const { event, guest } = await openGallery()
    await admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
    const before = await listStoredFiles(service)
    const answer = await sendFiles(guest, uploadPath(event), [
      { bytes: Buffer.from('words'), name: 'notes.txt', type: 'text/plain' },
      await createFile(1),
      { bytes: await jpegOfSize(2 ** 20 + 1), name: 'huge.jpg' },
      { bytes: await animatedGif(), name: 'dance.gif', type: 'image/gif' },
      { bytes: Buffer.from('not a picture'), name: 'fake.jpg' },
      { bytes: (await jpeg({ width: 900, height: 600 })).subarray(0, 1_000), name: 'cut.jpg' },
      { bytes: Buffer.alloc(0), name: 'empty.jpg' },
      await createFile(2),
    ])
    await admin.put('/api/admin/settings', { general_max_file_size_mb: 100 })
    expect(answer.status).toBe(207)
    expect(answer.body).toMatchObject({ success: false, uploaded: 2 })
    expect(answer.body.failed).toEqual(
      [
        [0, 'notes.txt', 'UNSUPPORTED_MEDIA_TYPE'],
        [2, 'huge.jpg', 'FILE_TOO_LARGE'],
        [3, 'dance.gif', 'FILE_TYPE_NOT_ALLOWED'],
        [4, 'fake.jpg', 'UNSUPPORTED_MEDIA_TYPE'],
        [5, 'cut.jpg', 'UNREADABLE_IMAGE'],
        [6, 'empty.jpg', 'UNSUPPORTED_MEDIA_TYPE'],
      ].map(([index, filename, code]) => ({ index, filename, code, error: expect.stringMatching(/\S/) })),
    )
    const names = (await listAsOperator(event)).map((photo: { original_filename: string }) => photo.original_filename)
    expect(names).toEqual(['party-1.jpg', 'party-2.jpg'])
    // Each accepted photo has an original and a thumbnail.
    expect(await listStoredFiles(service)).toHaveLength(before.length + 4)

    const gif = { bytes: await animatedGif(), name: 'dance.gif', type: 'image/gif' }
    const text = { bytes: Buffer.from('words'), name: 'notes.txt', type: 'text/plain' }
    const rejected = await sendFiles(guest, uploadPath(event), [gif, text])
    expectProblem(rejected, 415, 'FILE_TYPE_NOT_ALLOWED')
    const codes = ['FILE_TYPE_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE']
    expect(rejected.body.failed.map(({ code }: { code: string }) => code)).toEqual(codes)
    expect(await listStoredFiles(service)).toHaveLength(before.length + 4)
  })

  test('photos beyond the cap are rejected one by one, also of simultaneous guests', async () => {
    const { event, guest } = await openGallery({ photo_cap: 3 })
    const other = await enterAsGuest(service, event)
    const answers = await Promise.all(
      [guest, other].map(async (one) => sendFiles(one, uploadPath(event), await createFiles(1, 2))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 207])
    const failed = answers.flatMap(({ body }) => body.failed)
    expect(failed).toMatchObject([{ index: 1, code: 'PHOTO_CAP_REACHED' }])
    expectProblem(await sendFiles(guest, uploadPath(event), await createFiles(4)), 409, 'PHOTO_CAP_REACHED')
    expect(await listAsOperator(event)).toHaveLength(3)
  })

  test('no file, another field and more than 50 return 400, and store nothing', async () => {
    const { event, guest } = await openGallery()
    const kept = await storedState(service)
    expectInvalidField(await sendFiles(guest, uploadPath(event), []), 'photos')
    expectInvalidField(await sendFiles(guest, uploadPath(event), await createFiles(1), { field: 'photo' }), 'photos')
    expectInvalidField(await guest.post(uploadPath(event), {}), 'photos')
    expectInvalidField(await sendFiles(guest, uploadPath(event), Array(51).fill(await createFile(1))), 'photos')
    expect(await storedState(service)).toEqual(kept)
  })
})

describe('an upload is rejected', () => {
  test('where the event does not accept photos, before the body is sent, by its headers', async () => {
    const { event, guest } = await openGallery({ allow_user_uploads: false, upload_category_id: null })
    expectProblem(await sendFiles(guest, uploadPath(event), await createFiles(1)), 403, 'UPLOADS_DISABLED')
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '50000000' }
    const answer = await sendRaw(service.url, formHead(uploadPath(event), guest.token, headers))
    expect(answer.status).toBe(403)
  })

  test('to guests of other galleries, anonymous callers and operators', async () => {
    const { event } = await openGallery()
    const { guest: stranger } = await openGallery()
    expectProblem(await sendFiles(stranger, uploadPath(event), await createFiles(1)), 403, 'FORBIDDEN')
    expectProblem(await sendFiles(service.anonymous, uploadPath(event), await createFiles(1)), 401, 'NO_TOKEN')
    expectProblem(await sendFiles(admin, uploadPath(event), await createFiles(1)), 403, 'FORBIDDEN')
    expect(await listAsOperator(event)).toEqual([])
  })

  test('by cookie from another page', async () => {
    const { event, guest } = await openGallery()
    const headers = { cookie: `gallery_${event.id}=${guest.token}`, 'sec-fetch-site': 'cross-site' }
    expectProblem(await service.anonymous.call('POST', uploadPath(event), { headers }), 403, 'CROSS_ORIGIN')
  })
})

describe('an operator’s upload of several', () => {
  const path = ({ id }: TestEvent) => `/api/admin/photos/${id}/upload`

  test('returns the photos, visible, by an admin, and names the rejected files', async () => {
    const event = await createEvent(api, { moderate_uploads: true })
    const fields = { category_id: '2' }
    const answer = await sendFiles(admin, path(event), await createFiles(1, 2), { fields })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ success: true, uploaded: 2, failed: [] })
    const found = { uploaded_by: 'admin', visibility: 'visible', category_id: 2, auto_categorized: false }
    expect(await listAsOperator(event)).toMatchObject([found, found])
    expect(answer.body.photos).toEqual(await listAsOperator(event))
    const mixed = await sendFiles(admin, path(event), [await createFile(3), { bytes: Buffer.from('x'), name: 'a.jpg' }])
    expect(mixed.status).toBe(207)
    expect(mixed.body).toMatchObject({ uploaded: 1, failed: [{ index: 1, filename: 'a.jpg' }] })
  })

  test('rejects a category of another event, an archived event and a full one', async () => {
    const [event, other] = [await createEvent(api, { photo_cap: 1 }), await createEvent(api)]
    const { body: foreign } = await admin.post('/api/admin/categories', { name: 'Theirs', event_id: other.id })
    const fields = { category_id: String(foreign.id) }
    expectProblem(await sendFiles(admin, path(event), await createFiles(1), { fields }), 400, 'INVALID_CATEGORY')
    expect((await sendFiles(admin, path(event), await createFiles(1))).status).toBe(201)
    expectProblem(await sendFiles(admin, path(event), await createFiles(2)), 409, 'PHOTO_CAP_REACHED')
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await sendFiles(admin, path(event), await createFiles(2)), 409, 'EVENT_ARCHIVED')
  })
})
