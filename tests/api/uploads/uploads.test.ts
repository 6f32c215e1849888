import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, storedState } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { animatedGif, jpeg, picture } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api, admin } = service
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

function uploadForm(eventId: number, fill: (form: FormData) => void) {
  const body = new FormData()
  fill(body)
  return api.call('POST', `/api/v1/events/${eventId}/photos`, { body })
}

const imageBlob = async (seed = 1) => new Blob([await jpeg({ seed })], { type: 'image/jpeg' })

describe('a successful upload', () => {
  test('is 201 with id, filename, path, thumbnail_path, size_bytes and category_id', async () => {
    const bytes = await jpeg({ width: 90, height: 60 })
    const { status, body } = await api.upload(event.id, bytes, { name: 'DSC_0001.JPG' })
    expect(status).toBe(201)
    expect(body.id).toEqual(expect.any(Number))
    expect(body.filename).toMatch(/^\d{13}_[0-9a-f]{8}\.jpg$/)
    expect(body.path).toBe(`${event.slug}/${body.filename}`)
    expect(body.thumbnail_path).toMatch(/^[^/\\]+\.(jpg|webp)$/)
    expect(body).toMatchObject({ size_bytes: bytes.length, category_id: null })
  })

  test('contains the other values of the photo as well', async () => {
    const { body } = await api.upload(event.id, await jpeg({ width: 90, height: 60 }), { name: 'DSC_0001.JPG' })
    expect(body).toMatchObject({
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
      uploaded_by: 'api',
      auto_categorized: false,
      processing_status: 'ready',
      average_rating: 0,
      feedback_count: 0,
      color_labels: {},
      dominant_color_label: null,
      my_rating: null,
      my_color_label: null,
      rating: null,
      color_label: null,
    })
    expect(body.uploaded_at).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
    expect(body.thumbhash).toEqual(expect.any(String))
  })

  test('stores the original byte-exact', async () => {
    const bytes = await jpeg({ seed: 77 })
    const { body } = await api.upload(event.id, bytes)
    const guest = await enterAsGuest(service, event)
    for (const route of ['photo', 'download']) {
      expect((await guest.get(`/api/gallery/${event.slug}/${route}/${body.id}`)).bytes.equals(bytes)).toBe(true)
    }
  })

  test('may have the same bytes as another one', async () => {
    const bytes = await jpeg({ seed: 5 })
    const [first, second] = [await api.upload(event.id, bytes), await api.upload(event.id, bytes)]
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.body.filename).not.toBe(first.body.filename)
  })
})

describe('the content determines the type', () => {
  test.each([
    ['png', 'image/png', '.png'],
    ['webp', 'image/webp', '.webp'],
  ] as const)('a %s named .jpg and declared image/jpeg is stored as %s', async (format, mimeType, extension) => {
    const { status, body } = await api.upload(event.id, await picture(format), { name: 'photo.jpg' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ mime_type: mimeType, original_filename: 'photo.jpg' })
    expect(body.filename.endsWith(extension)).toBe(true)
  })

  test('a JPEG with any declared image type and any extension is a JPEG', async () => {
    for (const options of [
      { name: 'x.png', type: 'image/png' },
      { name: 'x.svg', type: 'image/svg+xml' },
      { name: 'x', type: 'image/anything' },
    ]) {
      const { status, body } = await api.upload(event.id, await jpeg(), options)
      expect(status).toBe(201)
      expect(body.mime_type).toBe('image/jpeg')
      expect(body.filename).toMatch(/\.jpg$/)
    }
  })

  test.each(['text/plain', 'application/octet-stream', 'video/mp4', 'application/pdf', 'imagejpeg', ''])(
    'a JPEG declared as %j is 415',
    async (type) => {
      expectProblem(await api.upload(event.id, await jpeg(), { type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test('a decodable type is 415 FILE_TYPE_NOT_ALLOWED until the settings allow it', async () => {
    const before = await storedState(service)
    const files = { gif: await animatedGif(), tiff: await picture('tiff'), avif: await picture('avif') }
    for (const [format, bytes] of Object.entries(files)) {
      const rejected = await api.upload(event.id, bytes, { type: `image/${format}` })
      expectProblem(rejected, 415, 'FILE_TYPE_NOT_ALLOWED')
      expect(rejected.body.error).toBe('File type not allowed')
    }
    expect(await storedState(service)).toEqual(before)

    await admin.put('/api/admin/settings', { general_allowed_file_types: 'gif,tiff,avif' })
    for (const [format, bytes] of Object.entries(files)) {
      const { status, body } = await api.upload(event.id, bytes, { type: 'image/jpeg' })
      expect(status).toBe(201)
      expect(body.mime_type).toBe(`image/${format}`)
    }
    expectProblem(await api.upload(event.id, await jpeg()), 415, 'FILE_TYPE_NOT_ALLOWED')
    for (const jpegs of ['jpg', 'jpeg']) {
      await admin.put('/api/admin/settings', { general_allowed_file_types: jpegs })
      expect((await api.upload(event.id, await jpeg())).status).toBe(201)
    }
    await admin.put('/api/admin/settings', { general_allowed_file_types: 'jpg,jpeg,png,webp' })
  })
})

describe('one image per request', () => {
  test('two photo parts are 400, and neither is stored', async () => {
    const before = await storedState(service)
    const [first, second] = [await imageBlob(1), await imageBlob(2)]
    const answer = await uploadForm(event.id, (form) => {
      form.append('photo', first, 'a.jpg')
      form.append('photo', second, 'b.jpg')
    })
    expectInvalidField(answer, 'photo')
    expect(await storedState(service)).toEqual(before)
  })

  test('no photo part is 400', async () => {
    expectInvalidField(await uploadForm(event.id, (form) => form.append('category_id', '1')), 'photo')
    expectInvalidField(await uploadForm(event.id, (form) => form.append('photo', 'just text')), 'photo')
    const blob = await imageBlob()
    expectInvalidField(await uploadForm(event.id, (form) => form.append('file', blob, 'a.jpg')), 'photo')
  })

  test('fields may come before or after the file', async () => {
    const [ceremony] = (await admin.get('/api/admin/categories/global')).body
    const blob = await imageBlob()
    const answer = await uploadForm(event.id, (form) => {
      form.append('photo', blob, 'a.jpg')
      form.append('category_id', String(ceremony.id))
    })
    expect(answer.body).toMatchObject({ category_id: ceremony.id, category: ceremony.name })
  })
})

test('a super_admin cannot upload into an archived event either: 409 EVENT_ARCHIVED', async () => {
  const archived = await createEvent(api)
  await changeDatabase(service, (stored) =>
    stored.prepare('update events set is_archived = 1 where id = ?').run(archived.id),
  )
  const before = await listStoredFiles(service)
  expectProblem(await api.upload(archived.id, await jpeg()), 409, 'EVENT_ARCHIVED')
  expect(await listStoredFiles(service)).toEqual(before)
})

test('an upload into an unknown event is 404, into a draft 201', async () => {
  expectProblem(await api.upload(999_999, await jpeg()), 404, 'NOT_FOUND')
  const owner = await createAccount(service, 'editor')
  const draft = await createEvent(owner.api, { is_draft: true })
  expect((await owner.api.upload(draft.id, await jpeg())).status).toBe(201)
})
