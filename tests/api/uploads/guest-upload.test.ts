import { request as httpRequest } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { watchRequest } from '../../support/clients/watch-request.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { animatedGif, jpeg, jpegOfSize } from '../../support/media/pictures.ts'
import {
  createMovableClock,
  serviceForFile,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { sendAllChunks } from '../../support/uploads/chunked-uploads.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, api } = service
await createTestWebhook(service)
let categoryId: number
beforeAll(async () => {
  categoryId = await getGuestCategory(service)
})

async function getGuestCategory(testService: TestService): Promise<number> {
  const { body } = await testService.admin.get('/api/admin/categories/global')
  return body.find(({ slug }: { slug: string }) => slug === 'guest-uploads').id
}

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
  test('several photos: 201 with each, visible to everybody, in the category of the event', async () => {
    const { event, guest } = await openGallery()
    const answer = await sendFiles(guest, uploadPath(event), await createFiles(1, 2, 3))
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ success: true, uploaded: 3, failed: [] })
    expect(answer.body.photos).toMatchObject([1, 2, 3].map((seed) => ({ original_filename: `party-${seed}.jpg` })))
    const other = await enterAsGuest(service, event)
    const shown = await listPhotos(other, event)
    expect(answer.body.photos).toHaveLength(3)
    for (const { visibility, ...photo } of answer.body.photos) {
      expect(visibility).toBe('visible')
      expect(shown).toContainEqual(photo)
    }
    expect(await listAsOperator(event)).toMatchObject(
      [1, 2, 3].map(() => ({
        uploaded_by: 'guest',
        category_id: categoryId,
        auto_categorized: true,
        visibility: 'visible',
      })),
    )
  })

  test('by the id of the event instead of its slug', async () => {
    const { event, guest } = await openGallery()
    expect((await sendFiles(guest, `/api/gallery/${event.id}/upload`, await createFiles(1))).status).toBe(201)
    expectProblem(await sendFiles(guest, '/api/gallery/999999/upload', await createFiles(1)), 404, 'NOT_FOUND')
    expect(await listAsOperator(event)).toHaveLength(1)
  })

  test('and each photo is published once', async () => {
    const { event, guest } = await openGallery()
    const { body } = await sendFiles(guest, uploadPath(event), await createFiles(1, 2))
    expect(listPublished(event).map(({ photo }) => photo.id)).toEqual(body.photos.map(({ id }: { id: number }) => id))
  })

  test('with moderate_uploads: only the response shows the photo until the operator approves it', async () => {
    const { event, guest } = await openGallery({ moderate_uploads: true })
    const { status, body } = await sendFiles(guest, uploadPath(event), await createFiles(1))
    expect(status).toBe(201)
    const [photo] = body.photos
    expect(photo.visibility).toBe('hidden')
    const list = async () => (await guest.get(`/api/gallery/${event.slug}/photos`)).body
    expect(await list()).toMatchObject({ photos: [], pagination: { total: 0 } })
    for (const kind of ['photo', 'thumbnail', 'download']) {
      expectProblem(await guest.get(`/api/gallery/${event.slug}/${kind}/${photo.id}`), 404, 'NOT_FOUND')
    }
    expect(listPublished(event)).toHaveLength(1)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${photo.id}`, { visibility: 'visible' })
    expect(await list()).toMatchObject({ photos: [{ id: photo.id }], pagination: { total: 1 } })
  })

  test('with moderate_uploads: the photo waits for a review until an operator shows or hides it', async () => {
    const { event, guest } = await openGallery({ moderate_uploads: true })
    const { body } = await sendFiles(guest, uploadPath(event), await createFiles(1, 2, 3))
    const [shown, hidden, waiting] = body.photos.map(({ id }: { id: number }) => id)
    const others = await api.upload(event.id, await jpeg({ seed: 4 }), { name: 'mine.jpg' })
    await api.patch(`/api/admin/photos/${event.id}/photos/${others.body.id}`, { visibility: 'hidden' })
    for (const [id, visibility] of [
      [shown, 'visible'],
      [hidden, 'hidden'],
    ]) {
      await admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, { visibility })
    }
    const queue = await admin.get(`/api/admin/photos/${event.id}/photos?review=waiting&limit=10`)
    expect(queue.body).toMatchObject({ photos: [{ id: waiting }], pagination: { filtered: 1, total: 4 } })
  })

  test('and operators see the name of the guest, also after a merge, which no other list contains', async () => {
    const { event, guest } = await openGallery({ moderate_uploads: true })
    const nameless = await enterAsGuest(service, event)
    const other = await enterAsGuest(service, event)
    const rename = async (client: TestClient, name: string) =>
      (await client.post(`/api/gallery/${event.slug}/guest`, { name })).body.guest.id
    const ids = { from: await rename(guest, 'Ana Secret'), into: await rename(other, 'Ben Secret') }
    await sendFiles(guest, uploadPath(event), await createFiles(1))
    const chunked = await sendAllChunks(guest, `/api/gallery/${event.slug}/chunked-upload`, await jpeg({ seed: 2 }))
    await chunked.complete()
    await sendFiles(nameless, uploadPath(event), await createFiles(3))
    await uploadPhotos(api, event.id, 1)
    const names = async (query: string) =>
      (await admin.get(`/api/admin/photos/${event.id}/photos${query}`)).body.photos.map(
        ({ awaits_review, guest_name }: Record<string, unknown>) => [awaits_review, guest_name],
      )
    const ofAna = [true, 'Ana Secret']
    expect(await names('?review=waiting&limit=10')).toEqual([ofAna, ofAna, [true, null]])
    expect(await names('')).toEqual([ofAna, ofAna, [true, null], [false, null]])
    const change = async (visibility: string, awaits_review: boolean) => {
      const photoIds = (await listAsOperator(event)).map(({ id }: { id: number }) => id)
      const updates = { visibility, awaits_review }
      expect((await admin.post(`/api/admin/photos/${event.id}/photos/bulk-update`, { photoIds, updates })).status).toBe(
        200,
      )
    }
    await change('visible', true)
    expect(await names('?review=waiting&limit=10')).toEqual([])
    // Only uploads of guests can wait.
    await change('hidden', true)
    expect(await names('')).toEqual([ofAna, ofAna, [true, null], [false, null]])

    const own = (await listAsOperator(event)).at(-1)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${own.id}`, { visibility: 'visible' })

    expect((await admin.post(`/api/admin/events/${event.id}/guests/merge`, ids)).status).toBe(200)
    const [photo] = await listAsOperator(event)
    const path = `/api/admin/photos/${event.id}/photos/${photo.id}`
    await admin.patch(path, { visibility: 'visible' })
    const single = await admin.get(`/api/admin/photos/${event.id}/photo/${photo.id}`)
    expect(single.body).toMatchObject({ awaits_review: false, guest_name: 'Ben Secret' })
    const seenByOthers = [await listAsOperator(event), await listPhotos(nameless, event)]
    expect(seenByOthers.map((photos) => photos.length)).toEqual([4, 2])
    expect(JSON.stringify(seenByOthers)).not.toMatch(/Secret|guest_name|guest_id|awaits_review/)
  })

  test('before the reveal too, and does not see the photo', async () => {
    const { event, guest } = await openGallery({ reveal_at: '2099-01-01' })
    expect((await sendFiles(guest, uploadPath(event), await createFiles(1))).status).toBe(201)
    expect(await listPhotos(guest, event)).toEqual([])
    expect(await listAsOperator(event)).toHaveLength(1)
  })

  test('but cannot choose a category', async () => {
    const { event, guest } = await openGallery()
    await sendFiles(guest, uploadPath(event), await createFiles(1), { fields: { category_id: '1' } })
    expect(await listAsOperator(event)).toMatchObject([{ category_id: categoryId }])
  })
})

describe('each file is checked separately, as uploads by operators are', () => {
  test('207 with the photos and, by index and name, what was rejected', async () => {
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
  })

  test('when all are rejected, the response is the first rejection, with all of them', async () => {
    const { event, guest } = await openGallery()
    const kept = await storedState(service)
    const answer = await sendFiles(guest, uploadPath(event), [
      { bytes: await animatedGif(), name: 'dance.gif', type: 'image/gif' },
      { bytes: Buffer.from('words'), name: 'notes.txt', type: 'text/plain' },
    ])
    expectProblem(answer, 415, 'FILE_TYPE_NOT_ALLOWED')
    expect(answer.body.failed.map(({ code }: { code: string }) => code)).toEqual([
      'FILE_TYPE_NOT_ALLOWED',
      'UNSUPPORTED_MEDIA_TYPE',
    ])
    expect(await storedState(service)).toEqual(kept)
  })

  test('those beyond the photo cap are rejected one by one, then requests are rejected before the body', async () => {
    const { event, guest } = await openGallery({ photo_cap: 3 })
    await uploadPhotos(api, event.id, 1)
    const answer = await sendFiles(guest, uploadPath(event), await createFiles(1, 2, 3))
    expect(answer.status).toBe(207)
    expect(answer.body).toMatchObject({ uploaded: 2, failed: [{ index: 2, code: 'PHOTO_CAP_REACHED' }] })
    expectProblem(await sendFiles(guest, uploadPath(event), await createFiles(4)), 409, 'PHOTO_CAP_REACHED')
    expect(await listAsOperator(event)).toHaveLength(3)
  })

  test('simultaneous guests never exceed the cap', async () => {
    const { event, guest } = await openGallery({ photo_cap: 4 })
    const other = await enterAsGuest(service, event)
    const answers = await Promise.all(
      [guest, other].map(async (one) => sendFiles(one, uploadPath(event), await createFiles(1, 2, 3))),
    )
    expect(answers.map(({ body }) => body.uploaded).reduce((sum, count) => sum + count)).toBe(4)
    expect(await listAsOperator(event)).toHaveLength(4)
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
  test('where the event does not accept photos, also if that changed later', async () => {
    const { event, guest } = await openGallery({ allow_user_uploads: false, upload_category_id: null })
    expectProblem(await sendFiles(guest, uploadPath(event), await createFiles(1)), 403, 'UPLOADS_DISABLED')
    const open = await openGallery()
    await api.patch(`/api/v1/events/${open.event.id}`, { allow_user_uploads: false })
    expectProblem(await sendFiles(open.guest, uploadPath(open.event), await createFiles(1)), 403, 'UPLOADS_DISABLED')
  })

  test('in a draft, in an archived and in an expired gallery', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const uploadFields = { allow_user_uploads: true, upload_category_id: await getGuestCategory(timed) }
    const [archived, expiring] = [
      await createEvent(timed.api, uploadFields),
      await createEvent(timed.api, { ...uploadFields, expiration_days: 1 }),
    ]
    const guests = [await enterAsGuest(timed, archived), await enterAsGuest(timed, expiring)] as const
    await timed.api.post(`/api/v1/events/${archived.id}/archive`, {})
    clock.advance(23.9 * 3_600_000)
    expect((await sendFiles(guests[1], uploadPath(expiring), await createFiles(1))).status).toBe(201)
    clock.advance(0.2 * 3_600_000)
    const draft = await createEvent(timed.api, { ...uploadFields, is_draft: true })
    expectProblem(await sendFiles(guests[0], uploadPath(draft), await createFiles(1)), 404, 'NOT_FOUND')
    expectProblem(await sendFiles(guests[0], uploadPath(archived), await createFiles(1)), 404, 'NOT_FOUND')
    expectProblem(await sendFiles(guests[1], uploadPath(expiring), await createFiles(1)), 410, 'GALLERY_EXPIRED')
  })

  test('to guests of other galleries, anonymous callers and operators', async () => {
    const { event } = await openGallery()
    const { guest: stranger } = await openGallery()
    expectProblem(await sendFiles(stranger, uploadPath(event), await createFiles(1)), 403, 'FORBIDDEN')
    expectProblem(await sendFiles(service.anonymous, uploadPath(event), await createFiles(1)), 401, 'NO_TOKEN')
    expectProblem(await sendFiles(admin, uploadPath(event), await createFiles(1)), 403, 'FORBIDDEN')
    expect(await listAsOperator(event)).toEqual([])
  })

  test('before the body is sent, by its headers', async () => {
    const { event, guest } = await openGallery({ allow_user_uploads: false, upload_category_id: null })
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = httpRequest(service.url + uploadPath(event), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${guest.token}`,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 50_000_000,
        },
      })
      sending.on('response', (answer) => {
        resolve(answer.statusCode)
        sending.destroy()
      })
      sending.on('error', reject)
      sending.flushHeaders()
    })
    expect(status).toBe(403)
  })

  test('after the body, if uploads were disabled while it arrived', async () => {
    const { event, guest } = await openGallery()
    const form = new FormData()
    form.append('photos', new Blob([await jpeg()], { type: 'image/jpeg' }), 'late.jpg')
    const whole = new Response(form)
    const bytes = Buffer.from(await whole.clone().arrayBuffer())
    const { isRead } = watchRequest(uploadPath(event))
    const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const sending = httpRequest(service.url + uploadPath(event), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${guest.token}`,
          'content-type': whole.headers.get('content-type') ?? '',
          'content-length': bytes.length,
        },
      })
      sending.on('response', (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode, body: text }))
      })
      sending.on('error', reject)
      sending.write(bytes.subarray(0, 200), async () => {
        await isRead
        await api.patch(`/api/v1/events/${event.id}`, { allow_user_uploads: false })
        sending.end(bytes.subarray(200))
      })
    })
    expect({ status, code: JSON.parse(body).code }).toEqual({ status: 403, code: 'UPLOADS_DISABLED' })
    expect(await listAsOperator(event)).toEqual([])
  })

  test('by cookie from another page', async () => {
    const { event, guest } = await openGallery()
    const headers = { cookie: `gallery_${event.id}=${guest.token}`, 'sec-fetch-site': 'cross-site' }
    expectProblem(await service.anonymous.call('POST', uploadPath(event), { headers }), 403, 'CROSS_ORIGIN')
  })
})

test('one upload is one of the 120 writes a minute of a guest, with any number of files', async () => {
  const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const event = await createEvent(limited.api, {
    allow_user_uploads: true,
    upload_category_id: await getGuestCategory(limited),
  })
  const guest = await enterAsGuest(limited, event)
  expect((await sendFiles(guest, uploadPath(event), await createFiles(1, 2, 3))).status).toBe(201)
  for (let write = 2; write <= 120; write++) expect((await guest.post(uploadPath(event), {})).status).toBe(400)
  expectProblem(await guest.post(uploadPath(event), {}), 429, 'RATE_LIMITED')
})

describe('an operator’s upload of several', () => {
  const path = ({ id }: TestEvent) => `/api/admin/photos/${id}/upload`

  test('returns 201 with the photos, visible, by an admin', async () => {
    const event = await createEvent(api, { moderate_uploads: true })
    const answer = await sendFiles(admin, path(event), await createFiles(1, 2), { fields: { category_id: '2' } })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ success: true, uploaded: 2, failed: [] })
    const found = { uploaded_by: 'admin', visibility: 'visible', category_id: 2, auto_categorized: false }
    expect(await listAsOperator(event)).toMatchObject([found, found])
    expect(answer.body.photos).toEqual(await listAsOperator(event))
  })

  test('names the rejected files', async () => {
    const event = await createEvent(api)
    const invalidFile = { bytes: Buffer.from('words'), name: 'a.jpg' }
    const answer = await sendFiles(admin, path(event), [await createFile(1), invalidFile])
    expect(answer.status).toBe(207)
    expect(answer.body).toMatchObject({ uploaded: 1, failed: [{ index: 1, filename: 'a.jpg' }] })
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
