import { beforeAll, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { animatedGif, declaredPng, jpeg, jpegOfSize, picture } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const megabyte = 1_048_576
const service = await sharedService()
const { api, admin } = service
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

const set = (settings: object) => admin.put('/api/admin/settings', settings)
function uploadForm(...parts: Array<[name: string, value: string | Blob]>) {
  const body = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, 'a.jpg')
  }
  return api.call('POST', `/api/v1/events/${event.id}/photos`, { body })
}

test('an upload is 201 with the whole record, and stores the original byte-exact', { tags: 'storage' }, async () => {
  const bytes = await jpeg({ width: 90, height: 60 })
  const { status, body } = await api.upload(event.id, bytes, { name: 'DSC_0001.JPG' })
  expect(status).toBe(201)
  expect(body.filename).toMatch(/^\d{13}_[0-9a-f]{8}\.jpg$/)
  expect(body).toMatchObject({
    id: expect.any(Number),
    path: `${event.slug}/${body.filename}`,
    thumbnail_path: expect.stringMatching(/^[^/\\]+\.(jpg|webp)$/),
    size_bytes: bytes.length,
    category_id: null,
    original_filename: 'DSC_0001.JPG',
    source_filename: 'DSC_0001.JPG',
    width: 90,
    height: 60,
    visibility: 'visible',
    type: null,
    category: null,
    media_type: 'image',
    mime_type: 'image/jpeg',
    duration: null,
    captured_at: null,
    uploaded_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    uploaded_by: 'api',
    auto_categorized: false,
    processing_status: 'ready',
    thumbhash: expect.any(String),
    average_rating: 0,
    feedback_count: 0,
    color_labels: {},
    dominant_color_label: null,
    my_rating: null,
    my_color_label: null,
    rating: null,
    color_label: null,
  })
  const guest = await enterAsGuest(service, event)
  for (const route of ['photo', 'download']) {
    expect((await guest.get(`/api/gallery/${event.slug}/${route}/${body.id}`)).bytes.equals(bytes)).toBe(true)
  }
  const again = await api.upload(event.id, bytes)
  expect([again.status, again.body.id === body.id]).toEqual([201, false])
})

test('the content decides the type, whatever image type and name are declared', async () => {
  const files = [
    { bytes: await picture('png'), type: 'image/jpeg', name: 'a.jpg', mime: 'image/png', extension: '.png' },
    { bytes: await picture('webp'), type: 'image/jpeg', name: 'a.jpg', mime: 'image/webp', extension: '.webp' },
    { bytes: await jpeg(), type: 'image/svg+xml', name: 'x.svg', mime: 'image/jpeg', extension: '.jpg' },
    { bytes: await jpeg(), type: 'image/anything', name: 'x', mime: 'image/jpeg', extension: '.jpg' },
  ]
  for (const { bytes, type, name, mime, extension } of files) {
    const { status, body } = await api.upload(event.id, bytes, { name, type })
    expect([status, body.mime_type, body.filename.slice(22)], `${name}, ${type}`).toEqual([201, mime, extension])
  }
})

test('what is no allowed image is rejected and leaves nothing', async () => {
  const before = await storedState(service)
  for (const type of ['text/plain', 'video/mp4', 'imagejpeg', '']) {
    expectProblem(await api.upload(event.id, await jpeg(), { type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const bytes of [svg, Buffer.alloc(0)]) {
    expectProblem(await api.upload(event.id, bytes), 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  expectProblem(await api.upload(event.id, await declaredPng(100_000, 100_000)), 422, 'UNREADABLE_IMAGE')
  const gif = await animatedGif()
  const rejected = await api.upload(event.id, gif, { type: 'image/gif' })
  expectProblem(rejected, 415, 'FILE_TYPE_NOT_ALLOWED')
  expect(rejected.body.error).toBe('File type not allowed')
  const blob = new Blob([await jpeg()], { type: 'image/jpeg' })
  const forms: Array<Parameters<typeof uploadForm>> = [
    [
      ['photo', blob],
      ['photo', blob],
    ],
    [['category_id', '1']],
    [['photo', 'just text']],
    [['file', blob]],
  ]
  for (const parts of forms) expectInvalidField(await uploadForm(...parts), 'photo')
  expect(await storedState(service)).toEqual(before)

  await set({ general_allowed_file_types: 'gif,tiff,avif,jpeg' })
  for (const [mime, bytes] of Object.entries({
    gif,
    tiff: await picture('tiff'),
    avif: await picture('avif'),
    jpeg: await jpeg(),
  })) {
    const { status, body } = await api.upload(event.id, bytes)
    expect([status, body.mime_type]).toEqual([201, `image/${mime}`])
  }
  expectProblem(await api.upload(event.id, await picture('png')), 415, 'FILE_TYPE_NOT_ALLOWED')
  await set({ general_allowed_file_types: 'jpg,jpeg,png,webp' })
})

test('category_id must be of the event or global: otherwise 400', async () => {
  const [ceremony] = (await admin.get('/api/admin/categories/global')).body
  const { body: own } = await admin.post('/api/admin/categories', { name: 'Dance', event_id: event.id })
  const blob = new Blob([await jpeg()], { type: 'image/jpeg' })
  for (const { id, name } of [ceremony, own]) {
    // The field comes after the file.
    const { body } = await uploadForm(['photo', blob], ['category_id', String(id)])
    expect(body).toMatchObject({ category_id: id, category: name, auto_categorized: false })
  }
  const other = await createEvent(api)
  const { body: theirs } = await admin.post('/api/admin/categories', { name: 'Theirs', event_id: other.id })
  const before = await storedState(service)
  const send = async (category_id: string | number) => api.upload(event.id, await jpeg(), { fields: { category_id } })
  for (const id of [theirs.id, 999_999]) expectProblem(await send(id), 400, 'INVALID_CATEGORY')
  for (const wrong of ['abc', '1.5', '0', '1; drop table photos', '9007199254740992', 'uncategorized']) {
    expectInvalidField(await send(wrong), 'category_id')
  }
  expect(await storedState(service)).toEqual(before)
})

test('a file of exactly the limit is accepted, one byte more is 413 with the limit in the text', async () => {
  await set({ general_max_file_size_mb: 1 })
  const fields = { note: 'x'.repeat(5_000) }
  expect((await api.upload(event.id, await jpegOfSize(megabyte), { fields })).status).toBe(201)
  const before = await storedState(service)
  const rejected = await api.upload(event.id, await jpegOfSize(megabyte + 1))
  await set({ general_max_file_size_mb: 100 })
  expectProblem(rejected, 413, 'FILE_TOO_LARGE')
  expect(rejected.body.error).toBe('File too large. Maximum size is 1 MB per file.')
  expect(await storedState(service)).toEqual(before)
})

test('a photo above the cap is 409; a replace is exempt, and a deleted photo frees its place', async () => {
  const { id } = await createEvent(api, { photo_cap: 1 })
  const [photoId = 0] = await uploadPhotos(api, id, 1)
  const before = await storedState(service)
  expectProblem(await api.upload(id, await jpeg()), 409, 'PHOTO_CAP_REACHED')
  expect(await storedState(service)).toEqual(before)
  const fields = { replaces_photo_id: photoId }
  expect((await api.upload(id, await jpeg({ seed: 9 }), { fields })).status).toBe(200)
  await admin.delete(`/api/admin/photos/${id}/photos/${photoId}`)
  expect((await api.upload(id, await jpeg())).status).toBe(201)
})

test('an archived event takes no photo, a draft does', async () => {
  const archived = await createEvent(api)
  await api.post(`/api/v1/events/${archived.id}/archive`, {})
  const before = await storedState(service)
  expectProblem(await api.upload(archived.id, await jpeg()), 409, 'EVENT_ARCHIVED')
  expectProblem(await api.upload(999_999, await jpeg()), 404, 'NOT_FOUND')
  expect(await storedState(service)).toEqual(before)
  const draft = await createEvent(api, { is_draft: true })
  expect((await api.upload(draft.id, await jpeg())).status).toBe(201)
})
