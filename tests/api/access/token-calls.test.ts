import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { createAccount, createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

test('GET /me names the account, its permissions and the scope of the token', async () => {
  const editor = await createAccount(service, 'editor')
  const client = createClient(service.url, await createApiToken(editor.admin, ['write']))
  const { body } = await client.get('/api/v1/me')
  const { user } = (await editor.admin.get('/api/auth/session')).body
  const { id, username, role, permissions } = user
  expect(body).toEqual({
    user: { id, username, role, permissions },
    token: {
      id: expect.any(Number),
      name: 'write',
      scopes: ['write'],
      reads_notes: true,
      expires_at: null,
      created_at: expect.any(String),
    },
  })
})

describe('a repeated call with an Idempotency-Key', () => {
  const createInEvent = async (path: string) => `/api/v1/events/${(await createEvent(api)).id}/${path}`
  const calls: Array<[string, () => Promise<string>, object, object]> = [
    ['a category', () => createInEvent('categories'), { name: 'Dancing' }, { name: 'Dinner' }],
    [
      'a customer',
      async () => '/api/v1/customers',
      { name: 'Ana', email: 'once@example.com', password: 'olive tree 8' },
      { name: 'Ana', email: 'twice@example.com' },
    ],
    [
      'an upload session',
      () => createInEvent('chunked-upload/init'),
      { filename: 'a.jpg', fileSize: 1000, batch: { id: '0123456789abcdef', index: 1 } },
      { filename: 'a.jpg', fileSize: 1001 },
    ],
  ]
  test.each(calls)('creates %s once', async (name, toPath, body, otherBody) => {
    const path = await toPath()
    const headers = { 'idempotency-key': `once-${name}` }
    const first = await api.post(path, body, headers)
    const again = await api.post(path, { ...body, unknown_key: 1 }, headers)
    expect(first.status).toBeLessThan(300)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const { warnings: _, ...repeated } = again.body
    expect([again.status, repeated]).toEqual([first.status, first.body])
    expectProblem(await api.post(path, otherBody, headers), 422, 'IDEMPOTENCY_KEY_REUSED')
  })
})

describe('categories', () => {
  test('of the event are created, changed and deleted; global ones are listed, not changed', async () => {
    const event = await createEvent(api)
    const path = `/api/v1/events/${event.id}/categories`
    const { status, body } = await api.post(path, { name: 'Dancing', event_id: 1, is_global: true })
    expect([status, body]).toMatchObject([
      201,
      { name: 'Dancing', event_id: event.id, is_global: false, photo_count: 0 },
    ])
    expect((await api.put(`${path}/${body.id}`, { name: 'Dinner', sort_order: 3 })).body).toMatchObject({
      name: 'Dinner',
    })
    const list = (await api.get(path)).body
    const global = list.find((one: { is_global: boolean }) => one.is_global)
    expectProblem(await api.put(`${path}/${global.id}`, { name: 'Mine' }), 404, 'NOT_FOUND')
    expectProblem(await api.delete(`${path}/${global.id}`), 404, 'NOT_FOUND')
    expect((await api.delete(`${path}/${body.id}`)).body).toEqual({ id: body.id, deleted: true })
    expectInvalidField(await api.post(path, { name: ' ' }), 'name')
    expectInvalidField(await api.post(path, { name: 'x'.repeat(101) }), 'name')
    expectInvalidField(await api.post(path, { name: 'x', sort_order: -1 }), 'sort_order')
    expectProblem(await api.put(`${path}/${body.id}`, { is_global: true }), 400, 'VALIDATION_ERROR')
  })
})

describe('comments', () => {
  test('are listed and moderated; other feedback is not found', async () => {
    const event = await createEvent(api)
    const [photo] = await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    const give = async (body: object) =>
      (await guest.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, body)).body.id
    const comment = await give({ feedback_type: 'comment', comment_text: 'Lovely' })
    const rating = await give({ feedback_type: 'rating', rating: 4 })
    const path = `/api/v1/events/${event.id}/comments`
    expect((await api.get(`${path}?status=pending`)).body).toMatchObject({
      feedback: [{ id: comment }],
      pagination: { total: 1 },
    })
    expect((await api.put(`${path}/${comment}/approve`, {})).body).toMatchObject({ id: comment, status: 'approved' })
    expect((await api.put(`${path}/${comment}/hide`, {})).body).toMatchObject({ id: comment, status: 'hidden' })
    expectProblem(await api.put(`${path}/${rating}/hide`, {}), 404, 'NOT_FOUND')
    expectProblem(await api.delete(`${path}/${rating}`), 404, 'NOT_FOUND')
    expect((await api.delete(`${path}/${comment}`)).body).toEqual({ id: comment, deleted: true })
    expectInvalidField(await api.get(`${path}?status=new`), 'status')
    expectInvalidField(await api.get(`${path}?limit=101`), 'limit')
  })
})

describe('large files', () => {
  const send = (client: TestClient, path: string, body: Uint8Array<ArrayBuffer>) =>
    client.call('POST', path, { headers: { 'content-type': 'application/octet-stream' }, body })

  test('are sent by a token and continued by a session of the account, but by no other account', async () => {
    const owner = await createAccount(service, 'admin')
    const stranger = await createAccount(service, 'super_admin')
    const event = await createEvent(owner.api)
    const bytes = await jpeg({ seed: 12 })
    const base = `events/${event.id}/chunked-upload`
    const { uploadId } = (
      await owner.api.post(`/api/v1/${base}/init`, { filename: 'a.jpg', fileSize: bytes.length, totalChunks: 1 })
    ).body
    const path = `/api/v1/${base}/${uploadId}`
    expectProblem(await send(stranger.api, `${path}/chunk/0`, bytes), 404, 'NOT_FOUND')
    expect((await send(owner.api, `${path}/chunk/0`, bytes)).body).toMatchObject({ complete: true })
    const adminPath = `/api/admin/photos/${event.id}/chunked-upload/${uploadId}`
    expect((await owner.admin.get(`${adminPath}/status`)).body).toEqual((await owner.api.get(`${path}/status`)).body)
    const { body } = await owner.api.post(`${path}/complete`, { category_id: 'collage' })
    expect(body.photos).toMatchObject([{ uploaded_by: 'api', type: 'collage', size_bytes: bytes.length }])
  })

  test('a writer cannot abort an upload, because that deletes', async () => {
    const writer = createClient(service.url, await createApiToken(admin, ['write']))
    const { id } = await createEvent(api)
    const base = `/api/v1/events/${id}/chunked-upload`
    const { uploadId } = (await writer.post(`${base}/init`, { filename: 'a.jpg', fileSize: 1000 })).body
    expectProblem(await writer.delete(`${base}/${uploadId}`), 403, 'INSUFFICIENT_SCOPE')
    expect((await api.delete(`${base}/${uploadId}`)).body).toEqual({ uploadId, aborted: true })
  })
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
