import { beforeAll, describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForTest, sharedService } from '../../support/service/test-service.ts'
import { createUploadClient, initUpload, largeJpeg, sendAllChunks } from '../../support/uploads/chunked-uploads.ts'

const service = await sharedService()
const { admin, api } = service
let categoryId: number
beforeAll(async () => {
  categoryId = (await admin.get('/api/admin/categories/global')).body[0].id
})

async function openGallery(body: Record<string, unknown> = {}) {
  const event = await createEvent(api, { allow_user_uploads: true, upload_category_id: categoryId, ...body })
  return { event, guest: await enterAsGuest(service, event), base: guestUploads(event) }
}

const guestUploads = ({ slug }: TestEvent): string => `/api/gallery/${slug}/chunked-upload`
const listAsOperator = async ({ id }: TestEvent) => (await api.get(`/api/v1/events/${id}/photos`)).body.photos
const allCalls = (client: TestClient, path: string) => {
  const upload = createUploadClient(client, path)
  return [() => upload.status(), () => upload.chunk(0, Buffer.alloc(5)), () => upload.complete(), () => upload.abort()]
}

describe('a guest uploads a large file', () => {
  test('in chunks, into the category of the event, with the same response as other guest uploads', async () => {
    const { event, guest, base } = await openGallery()
    const file = await largeJpeg(chunkBytes + 700)
    const init = await guest.post(`${base}/init`, { filename: 'party.jpg', fileSize: file.length, totalChunks: 2 })
    expect(init.body).toMatchObject({ chunkSize: chunkBytes, expectedChunks: 2, expiresAt: expect.any(String) })
    const upload = createUploadClient(guest, `${base}/${init.body.uploadId}`)
    await upload.chunk(1, file.subarray(chunkBytes))
    expect((await upload.complete()).body).toMatchObject({ code: 'MISSING_CHUNKS', missing: [0] })
    await upload.chunk(0, file.subarray(0, chunkBytes))
    expect((await upload.status()).body).toMatchObject({ receivedIndexes: [0, 1], status: 'in_progress' })
    const completed = await upload.complete({ category_id: null })
    expect(completed.body).toMatchObject({ success: true, uploaded: 1, photos: [{ visibility: 'visible' }] })
    expect((await upload.complete()).body).toEqual(completed.body)
    const [{ visibility, ...photo }] = completed.body.photos
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).body.photos).toContainEqual(photo)
    expect(await listAsOperator(event)).toMatchObject([
      { uploaded_by: 'guest', category_id: categoryId, auto_categorized: true, original_filename: 'party.jpg' },
    ])
  })

  test('which cannot replace a photo', async () => {
    const { event, guest, base } = await openGallery({ photo_cap: 1 })
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const [before] = await listAsOperator(event)
    const replaces = { replaces_photo_id: photoId }
    const init = await guest.post(`${base}/init`, { filename: 'a.jpg', fileSize: 5, ...replaces })
    expectProblem(init, 409, 'PHOTO_CAP_REACHED')
    await api.patch(`/api/v1/events/${event.id}`, { photo_cap: 2 })
    const upload = await sendAllChunks(guest, base, await jpeg({ seed: 3 }), replaces)
    await upload.complete(replaces)
    expect(await listAsOperator(event)).toMatchObject([{ id: photoId, content_hash: before.content_hash }, {}])
  })

  test('with the same checks as operators', async () => {
    const { guest, base } = await openGallery()
    const init = (body: object) => guest.post(`${base}/init`, { filename: 'a.jpg', fileSize: 5, ...body })
    expectProblem(await init({ fileSize: 2 ** 40 }), 400, 'FILE_TOO_LARGE')
    expectProblem(await init({ filename: 'a.gif' }), 400, 'FILE_TYPE_NOT_ALLOWED')
    expectProblem(await init({ totalChunks: 2 }), 400, 'VALIDATION_ERROR')
    const upload = await sendAllChunks(guest, base, Buffer.from('words'))
    expectProblem(await upload.complete(), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })
})

describe('an upload belongs to one guest', () => {
  test('and does not exist for every other guest and the operator', async () => {
    const { event, guest, base } = await openGallery()
    const upload = await sendAllChunks(guest, base, await jpeg())
    const other = await enterAsGuest(service, event)
    for (const call of allCalls(other, upload.path)) expectProblem(await call(), 404, 'NOT_FOUND')
    const adminPath = upload.path.replace(base, `/api/admin/photos/${event.id}/chunked-upload`)
    for (const call of allCalls(admin, adminPath)) expectProblem(await call(), 404, 'NOT_FOUND')
    expect((await upload.abort()).body).toMatchObject({ aborted: true })
  })

  test('and to the remaining guest after a merge', async () => {
    const { event, guest, base } = await openGallery()
    const upload = await sendAllChunks(guest, base, await jpeg())
    const other = await enterAsGuest(service, event)
    const idOf = async (client: TestClient) =>
      (await client.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana' })).body.guest.id
    const body = { from: await idOf(guest), into: await idOf(other) }
    const merged = await admin.post(`/api/admin/events/${event.id}/guests/merge`, body)
    expect(merged.status).toBe(200)
    expect((await createUploadClient(other, upload.path).status()).status).toBe(200)
    expect((await upload.complete()).status).toBe(200)
  })

  test('and is rejected once the gallery accepts no uploads', async () => {
    const { event, guest, base } = await openGallery()
    const upload = await sendAllChunks(guest, base, await jpeg())
    await api.patch(`/api/v1/events/${event.id}`, { allow_user_uploads: false })
    for (const call of allCalls(guest, upload.path)) expectProblem(await call(), 403, 'UPLOADS_DISABLED')
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    for (const call of allCalls(guest, upload.path)) expectProblem(await call(), 404, 'NOT_FOUND')
  })
})

test('the session of a chunked upload counts as a guest write, its chunks do not', async () => {
  const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const event = await createEvent(limited.api, { allow_user_uploads: true, upload_category_id: 1 })
  const guest = await enterAsGuest(limited, event)
  const bytes = await jpeg()
  const upload = await initUpload(guest, guestUploads(event), { fileSize: bytes.length })
  const answers = await Promise.all(Array.from({ length: 130 }, () => upload.chunk(0, bytes)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const init = () => guest.post(`${guestUploads(event)}/init`, { filename: 'a.jpg', fileSize: 5 })
  const sessions = await Promise.all(Array.from({ length: 130 }, init))
  expect(sessions.filter(({ status }) => status === 429).length).toBeGreaterThan(5)
})
