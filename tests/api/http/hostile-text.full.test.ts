import { beforeAll, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api, anonymous } = service
const marks = (count: number) => '\u0301\u0316'.repeat(Math.ceil(count / 2)).slice(0, count)

let event: TestEvent
let guest: TestClient
let photoId: number
beforeAll(async () => {
  const { body: categories } = await admin.get('/api/admin/categories/global')
  const upload_category_id = categories[0].id
  event = await createEvent(api, {
    allow_user_uploads: true,
    upload_category_id,
    allow_notes: true,
    allow_annotations: true,
  })
  photoId = (await uploadPhotos(api, event.id, 1))[0] ?? 0
  guest = await enterAsGuest(service, event)
})

const gallery = (path: string) => `/api/gallery/${event.slug}/${path}`

// `server/platform/http/validation.test.ts` tests the limit of 30 marks; these tests prove that the routes apply it.

test('an unknown key with many combining marks is ignored within the limit of the body', async () => {
  const tooLarge = { photo_ids: [photoId], x: `a${marks(225_000)}` }
  expectProblem(await guest.post(gallery('download-selected'), tooLarge), 413, 'BODY_TOO_LARGE')
  const body = { photo_ids: [photoId], x: `a${marks(55_000)}` }
  expect((await guest.post(gallery('download-selected'), body)).status).toBe(200)
  for (const path of ['/api/auth/logout', '/api/auth/gallery/logout', '/api/customer/auth/logout']) {
    expect((await anonymous.post(path, { x: `a${marks(7_000)}` })).status).toBe(200)
  }
  const key = `x${marks(3_000)}`
  const path = `/api/admin/photos/${event.id}/photos/${photoId}`
  expect((await admin.patch(path, { [key]: 1 })).body.details[0].kind).toBe('unknown_field')
  const created = await admin.post('/api/admin/api-tokens', { name: 'x', scopes: ['read'], [key]: marks(3_000) })
  const message = 'is not a known field and was ignored'
  expect(created.body.warnings).toEqual([{ path: key.slice(0, 100), message }])
})

test('31 combining marks in a row are 400 in texts of guests and operators, and 30 are stored', async () => {
  const text = `a${marks(31)}`
  const comment = { feedback_type: 'comment', comment_text: text }
  expectInvalidField(await guest.post(gallery(`photos/${photoId}/feedback`), comment), 'comment_text')
  expectInvalidField(await guest.post(gallery('notes'), { text }), 'text')
  expectInvalidField(await guest.post(gallery('guest'), { name: text }), 'name')
  expectInvalidField(await guest.post(gallery('selection'), { note: text }), 'note')
  expectInvalidField(await guest.get(gallery(`photos?search=${encodeURIComponent(text)}`)), 'search')
  expectInvalidField(await admin.post('/api/admin/customers', { name: text, email: 'a@example.com' }), 'name')
  expectInvalidField(await admin.patch(`/api/admin/events/${event.id}`, { event_name: text }), 'event_name')
  expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: text, password: 'x' }), 'username')
  const allowed = `q${'\u0301'.repeat(30)}`
  expect((await guest.post(gallery('notes'), { text: allowed })).status).toBe(200)
  expect((await guest.get(gallery('notes'))).body.notes[0].text).toBe(allowed)
})

test('file names lose the combining marks after the 30th in a row', async () => {
  const name = `q${'\u0301'.repeat(37_000)}.jpg`
  const kept = `q${'\u0301'.repeat(30)}.jpg`
  const { body } = await sendFiles(guest, gallery('upload'), [{ bytes: await jpeg({ seed: 5 }), name }])
  expect(body.photos[0].original_filename).toBe(kept)
  const init = { filename: `q${'\u0301'.repeat(20_000)}.jpg`, fileSize: 5 }
  const { uploadId } = (await guest.post(gallery('chunked-upload/init'), init)).body
  expect((await guest.get(gallery(`chunked-upload/${uploadId}/status`))).body.filename).toBe(kept)
})
