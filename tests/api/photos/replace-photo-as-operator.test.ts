import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, storedState } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnounced } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { api, admin } = service
await createTestWebhook(service)
let event: TestEvent
let photoId: number
beforeEach(async () => {
  event = await createEvent(api)
  photoId = (await uploadPhotos(api, event.id, 1))[0] as number
})

type ReplacementFile = { bytes: Buffer<ArrayBuffer>; name?: string; type?: string; field?: string }

function replace(
  { bytes, name = 'retouched.jpg', type = 'image/jpeg', field = 'photo' }: ReplacementFile,
  id = photoId,
  client = admin,
) {
  const body = new FormData()
  body.append(field, new Blob([bytes], { type }), name)
  return client.call('POST', `/api/admin/photos/${event.id}/photos/${id}/replace`, { body })
}
const read = async () => (await admin.get(`/api/admin/photos/${event.id}/photo/${photoId}`)).body

describe('POST photos/{photo_id}/replace', () => {
  test('returns what the public API returns; id, marks, position and first name stay', async () => {
    await admin.put(`/api/admin/photos/${event.id}/photos/${photoId}/mark`, { rating: 3 })
    const before = await read()
    const bytes = await jpeg({ seed: 9, width: 30, height: 90 })
    const { status, body } = await replace({ bytes })
    expect(status).toBe(200)
    const { awaits_review: _, guest_name: __, ...after } = await read()
    expect(body).toEqual({ replaced: true, photo: { ...after, previous_filename: before.filename } })
    expect(after).toMatchObject({
      id: photoId,
      width: 30,
      height: 90,
      my_rating: 3,
      original_filename: 'retouched.jpg',
      source_filename: before.source_filename,
      uploaded_at: before.uploaded_at,
      uploaded_by: before.uploaded_by,
    })
    const download = await admin.get(`/api/admin/photos/${event.id}/photos/${photoId}/download`)
    expect(download.bytes.equals(bytes)).toBe(true)
  })

  test('publishes photo.uploaded with replaced: true', async () => {
    await replace({ bytes: await jpeg({ seed: 9 }) })
    const { data } = listAnnounced(service, 'photo.uploaded').at(-1) ?? {}
    expect(data.photo).toMatchObject({ id: photoId, replaced: true })
  })

  test('rejects a file that is no image, a missing file or an unknown photo, and keeps the old file', async () => {
    const other = await createEvent(api)
    const [theirs] = await uploadPhotos(api, other.id, 1)
    const before = await storedState(service)
    const text = Buffer.from('no picture')
    expectProblem(await replace({ bytes: text }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectProblem(await replace({ bytes: text, type: 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectInvalidField(await replace({ bytes: await jpeg(), field: 'picture' }), 'photo')
    for (const id of [theirs, 999_999]) expectProblem(await replace({ bytes: await jpeg() }, id), 404, 'NOT_FOUND')
    expect(await storedState(service)).toEqual(before)
  })

  test('requires photos.upload: a viewer gets FORBIDDEN', async () => {
    const viewer = await createAccount(service, 'viewer')
    expectProblem(await replace({ bytes: await jpeg() }, photoId, viewer.admin), 403, 'FORBIDDEN')
  })

  test('returns 409 EVENT_ARCHIVED in an archived event', async () => {
    await changeDatabase(service, (stored) =>
      stored.prepare('update events set is_archived = 1 where id = ?').run(event.id),
    )
    const before = await storedState(service)
    expectProblem(await replace({ bytes: await jpeg() }), 409, 'EVENT_ARCHIVED')
    expect(await storedState(service)).toEqual(before)
  })
})
