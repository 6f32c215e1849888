import { expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api } = service

test('a repeated call with an Idempotency-Key creates a category, a customer and an upload session once', async () => {
  const { id } = await createEvent(api)
  const ana = { name: 'Ana', email: 'once@example.com' }
  const file = { filename: 'a.jpg', fileSize: 1000 }
  const calls: Array<[path: string, body: object, otherBody: object]> = [
    [`events/${id}/categories`, { name: 'Dancing' }, { name: 'Dinner' }],
    ['customers', { ...ana, password: 'olive tree 8' }, { ...ana, email: 'twice@example.com' }],
    [
      `events/${id}/chunked-upload/init`,
      { ...file, batch: { id: '0123456789abcdef', index: 1 } },
      { ...file, fileSize: 1001 },
    ],
  ]
  for (const [path, body, otherBody] of calls) {
    const post = (sent: object) => api.post(`/api/v1/${path}`, sent, { 'idempotency-key': `once ${path}` })
    const first = await post(body)
    const again = await post({ ...body, unknown_key: 1 })
    expect(first.status, path).toBeLessThan(300)
    expect(again.headers.get('idempotent-replayed'), path).toBe('true')
    const { warnings: _, ...repeated } = again.body
    expect([again.status, repeated]).toEqual([first.status, first.body])
    expectProblem(await post(otherBody), 422, 'IDEMPOTENCY_KEY_REUSED')
  }
})

test('categories of the event are created, changed and deleted; global ones are listed, not changed', async () => {
  const event = await createEvent(api)
  const path = `/api/v1/events/${event.id}/categories`
  const { status, body } = await api.post(path, { name: 'Dancing', event_id: 1, is_global: true })
  const created = { name: 'Dancing', event_id: event.id, is_global: false, photo_count: 0 }
  expect([status, body]).toMatchObject([201, created])
  const changed = await api.put(`${path}/${body.id}`, { name: 'Dinner', sort_order: 3 })
  expect(changed.body).toMatchObject({ name: 'Dinner', sort_order: 3 })
  const global = (await api.get(path)).body.find((one: { is_global: boolean }) => one.is_global)
  expectProblem(await api.put(`${path}/${global.id}`, { name: 'Mine' }), 404, 'NOT_FOUND')
  expectProblem(await api.delete(`${path}/${global.id}`), 404, 'NOT_FOUND')
  expectProblem(await api.put(`${path}/${body.id}`, { is_global: true }), 400, 'VALIDATION_ERROR')
  expect((await api.delete(`${path}/${body.id}`)).body).toEqual({ id: body.id, deleted: true })
  for (const name of [' ', 'x'.repeat(101)]) expectInvalidField(await api.post(path, { name }), 'name')
})

test('comments are listed and moderated; other feedback is not found', async () => {
  const event = await createEvent(api)
  const [photo] = await uploadPhotos(api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  const give = async (body: object) =>
    (await guest.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, body)).body.id
  const comment = await give({ feedback_type: 'comment', comment_text: 'Lovely' })
  const rating = await give({ feedback_type: 'rating', rating: 4 })
  const path = `/api/v1/events/${event.id}/comments`
  const pending = { feedback: [{ id: comment }], pagination: { total: 1 } }
  expect((await api.get(`${path}?status=pending`)).body).toMatchObject(pending)
  expect((await api.put(`${path}/${comment}/approve`, {})).body).toMatchObject({ id: comment, status: 'approved' })
  expect((await api.put(`${path}/${comment}/hide`, {})).body).toMatchObject({ id: comment, status: 'hidden' })
  expectProblem(await api.put(`${path}/${rating}/hide`, {}), 404, 'NOT_FOUND')
  expectProblem(await api.delete(`${path}/${rating}`), 404, 'NOT_FOUND')
  expect((await api.delete(`${path}/${comment}`)).body).toEqual({ id: comment, deleted: true })
  expectInvalidField(await api.get(`${path}?status=new`), 'status')
})

test('a large file is sent by a token and continued by a session of the account, but by no other account', async () => {
  const send = (client: TestClient, path: string, body: Uint8Array<ArrayBuffer>) =>
    client.call('POST', path, { headers: { 'content-type': 'application/octet-stream' }, body })
  const owner = await createAccount(service, 'admin')
  const stranger = await createAccount(service, 'super_admin')
  const event = await createEvent(owner.api)
  const bytes = await jpeg({ seed: 12 })
  const base = `/api/v1/events/${event.id}/chunked-upload`
  const init = { filename: 'a.jpg', fileSize: bytes.length, totalChunks: 1 }
  const { uploadId } = (await owner.api.post(`${base}/init`, init)).body
  const path = `${base}/${uploadId}`
  expectProblem(await send(stranger.api, `${path}/chunk/0`, bytes), 404, 'NOT_FOUND')
  expect((await send(owner.api, `${path}/chunk/0`, bytes)).body).toMatchObject({ complete: true })
  const adminPath = `/api/admin/photos/${event.id}/chunked-upload/${uploadId}`
  expect((await owner.admin.get(`${adminPath}/status`)).body).toEqual((await owner.api.get(`${path}/status`)).body)
  const { body } = await owner.api.post(`${path}/complete`, { category_id: 'collage' })
  expect(body.photos).toMatchObject([{ uploaded_by: 'api', type: 'collage', size_bytes: bytes.length }])
})

test('bulk calls take 10,000 ids at most, and PATCH no unknown key', async () => {
  const { id } = await createEvent(api)
  const path = `/api/v1/events/${id}/photos`
  const photoIds = Array.from({ length: 10_001 }, (_, index) => index + 1)
  expectInvalidField(await api.post(`${path}/bulk-delete`, { photoIds }), 'photoIds')
  expectInvalidField(await api.post(`${path}/bulk-update`, { photoIds, updates: {} }), 'photoIds')
  const [photo] = await uploadPhotos(api, id, 1)
  expectProblem(await api.patch(`${path}/${photo}`, { filename: 'x' }), 400, 'VALIDATION_ERROR')
  expectInvalidField(await api.put(`${path}/${photo}/mark`, { rating: 6 }), 'rating')
  expect((await api.get(`${path}/${photo}/thumbnail`)).headers.get('content-type')).toBe('image/jpeg')
})
