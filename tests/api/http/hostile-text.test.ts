import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api, anonymous } = service
const marks = (count: number) => '\u0301\u0316'.repeat(Math.ceil(count / 2)).slice(0, count)

let event: TestEvent
let guest: TestClient
let photoId: number
beforeAll(async () => {
  const { body: categories } = await admin.get('/api/admin/categories/global')
  const upload_category_id = categories[0].id
  event = await createEvent(api, { allow_user_uploads: true, upload_category_id, allow_notes: true })
  photoId = (await uploadPhotos(api, event.id, 1))[0] ?? 0
  guest = await enterAsGuest(service, event)
})

const gallery = (path: string) => `/api/gallery/${event.slug}/${path}`

describe('an unknown key with many combining marks', () => {
  test('of 450 KB is not read', async () => {
    const body = { photo_ids: [photoId], x: `a${marks(225_000)}` }
    expectProblem(await guest.post(gallery('download-selected'), body), 413, 'BODY_TOO_LARGE')
  })

  test('that the limit allows is ignored', async () => {
    const body = { photo_ids: [photoId], x: `a${marks(55_000)}` }
    expect((await guest.post(gallery('download-selected'), body)).status).toBe(200)
    for (const path of ['/api/auth/logout', '/api/auth/gallery/logout', '/api/customer/auth/logout']) {
      expect((await anonymous.post(path, { x: `a${marks(7_000)}` })).status).toBe(200)
    }
  })

  test('is rejected where unknown keys are, and listed where they are ignored', async () => {
    const key = `x${marks(3_000)}`
    const path = `/api/admin/photos/${event.id}/photos/${photoId}`
    expect((await admin.patch(path, { [key]: 1 })).body.details[0].kind).toBe('unknown_field')
    const created = await admin.post('/api/admin/api-tokens', { name: 'x', scopes: ['read'], [key]: marks(3_000) })
    expect(created.body.warnings).toEqual([
      { path: key.slice(0, 100), message: 'is not a known field and was ignored' },
    ])
  })
})

describe('31 combining marks in a row are 400', () => {
  const text = `a${marks(31)}`
  test('in texts of guests', async () => {
    const comment = { feedback_type: 'comment', comment_text: text }
    expectInvalidField(await guest.post(gallery(`photos/${photoId}/feedback`), comment), 'comment_text')
    expectInvalidField(await guest.post(gallery('notes'), { text }), 'text')
    expectInvalidField(await guest.post(gallery('guest'), { name: text }), 'name')
    expectInvalidField(await guest.post(gallery('selection'), { note: text }), 'note')
    expectInvalidField(await guest.get(gallery(`photos?search=${encodeURIComponent(text)}`)), 'search')
  })

  test('in texts of operators', async () => {
    expectInvalidField(await admin.post('/api/admin/customers', { name: text, email: 'a@example.com' }), 'name')
    expectInvalidField(await admin.patch(`/api/admin/events/${event.id}`, { event_name: text }), 'event_name')
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: text, password: 'x' }), 'username')
  })
})

test('30 combining marks in a row are stored', async () => {
  const text = `q${'\u0301'.repeat(30)}`
  expect((await guest.post(gallery('notes'), { text })).status).toBe(200)
  expect((await guest.get(gallery('notes'))).body.notes[0].text).toBe(text)
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
