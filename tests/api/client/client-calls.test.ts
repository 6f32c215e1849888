import { expect, test } from 'vitest'
import { createProofroom, type ProofroomOptions } from '../../../clients/typescript/source/index.ts'
import { losingFetch, problemResponse, recordingFetch } from '../../support/clients/unreliable-fetch.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin, url } = service
const token = api.token ?? ''
const connect = (options: Partial<ProofroomOptions> = {}) => createProofroom({ baseUrl: url, token, ...options })
const proofroom = connect()
const wedding = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }

test('an event goes from draft to archive and back, and is deleted', async () => {
  const { id, share_url, warnings } = await proofroom.events.create({ ...wedding, is_draft: true })
  expect(warnings).toBeUndefined()
  expect(await proofroom.events.get(id)).toMatchObject({ event_name: 'Ana & Ben', is_draft: true })
  expect(await proofroom.events.update(id, { welcome_message: 'Hello' })).toMatchObject({ welcome_message: 'Hello' })
  expect(await proofroom.events.publish(id)).toMatchObject({ is_draft: false, share_url })
  expect((await proofroom.events.shareLink(id)).share_url).toBe(share_url)
  expect(await proofroom.events.archive(id)).toMatchObject({ is_archived: true })
  expect(await proofroom.events.restore(id)).toMatchObject({ is_archived: false })
  expect(await proofroom.events.delete(id)).toEqual({ id, deleted: true })
  await expect(proofroom.events.get(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('a list gives all photos, page by page, and one page alone', async () => {
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 5)
  const found: number[] = []
  for await (const photo of proofroom.photos.list(event.id, { limit: 2 })) found.push(photo.id)
  expect(found).toEqual(ids)
  const lengths: number[] = []
  for await (const page of proofroom.photos.list(event.id, { limit: 2 }).pages()) lengths.push(page.photos.length)
  expect(lengths).toEqual([2, 2, 1])
  const { photos } = await proofroom.photos.list(event.id, { limit: 2, page: 3 }).first()
  expect(photos.map(({ id }) => id)).toEqual(ids.slice(4))
  expect(await proofroom.photos.get(event.id, ids[0] as number)).toMatchObject({ id: ids[0], media_type: 'image' })
  // A list that changes while it is read repeats nothing and leaves nothing out.
  const changed: number[] = []
  for await (const { id } of proofroom.photos.list(event.id, { limit: 2 })) {
    if (changed.push(id) === 2) await proofroom.photos.delete(event.id, ids[0] as number)
  }
  expect(changed).toEqual(ids)
})

test('a list requests a page only when it is needed, and continues an offset', async () => {
  for (let count = 0; count < 3; count++) await createEvent(api)
  const { fetch, sent } = recordingFetch()
  const { events } = connect({ fetch })
  for await (const _event of events.list({ limit: 2 })) break
  expect(sent).toHaveLength(1)
  const found: number[] = []
  for await (const { id } of events.list({ limit: 2, offset: 1 })) if (found.push(id) === 4) break
  const { body } = await api.get('/api/v1/events?limit=5')
  const all = body.events.map(({ id }: { id: number }) => id)
  expect(found.slice(0, 2)).toEqual(all.slice(1, 3))
  expect(new Set(found).size).toBe(found.length)
})

test('an error has code, status, details and the id of the request', async () => {
  const error = await proofroom.events.create({ ...wedding, expiration_days: 0 }).catch((one) => one)
  expect(error).toMatchObject({
    name: 'ProofroomError',
    status: 400,
    code: 'VALIDATION_ERROR',
    message: error.body.error,
  })
  expect(error.details).toEqual([expect.objectContaining({ path: 'expiration_days' })])
  expect(error.requestId).toMatch(/\S/)
  const reader = connect({ token: await createApiToken(admin, ['read']) })
  await expect(reader.events.create(wedding)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE', status: 403 })
})

test('a service that cannot be reached, and a page of a proxy, are errors too', async () => {
  const unreachable = createProofroom({ baseUrl: 'http://127.0.0.1:1', token, retries: 0 })
  await expect(unreachable.events.types()).rejects.toMatchObject({ status: 0, code: 'NETWORK_ERROR' })
  const { fetch } = recordingFetch(() => new Response('<html>', { status: 404 }))
  await expect(connect({ fetch }).events.types()).rejects.toMatchObject({ status: 404, code: 'UNEXPECTED_RESPONSE' })
})

test('a lost response is asked for again with the same key, and nothing is created twice', async () => {
  const { fetch, sent } = losingFetch(1)
  const before = (await proofroom.events.list({ limit: 1 }).first()).pagination.total
  const { id } = await connect({ fetch }).events.create(wedding)
  expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(
    Array(2).fill(expect.stringMatching(/^.{36}$/)),
  )
  expect(sent[0]?.headers.get('idempotency-key')).toBe(sent[1]?.headers.get('idempotency-key'))
  const { pagination, events } = await proofroom.events.list({ limit: 1 }).first()
  expect([pagination.total - before, events[0]?.id]).toEqual([1, id])
})

test('a call is repeated after a status that may pass, and not after another', async () => {
  const passing = { 408: 'TIMEOUT', 409: 'IDEMPOTENCY_IN_PROGRESS', 429: 'RATE_LIMITED', 503: 'UNAVAILABLE' }
  for (const [status, code] of Object.entries({ ...passing, 500: 'INTERNAL_ERROR' })) {
    const answer = () => problemResponse(Number(status), code, { 'retry-after': '0' })
    const { fetch, sent } = recordingFetch((_request, count) => (count < 3 ? answer() : null))
    await connect({ fetch }).events.types()
    expect(sent, code).toHaveLength(3)
    const failing = recordingFetch(answer)
    await expect(connect({ fetch: failing.fetch }).events.types()).rejects.toMatchObject({ code })
    expect(failing.sent, code).toHaveLength(3)
  }
  const final = { 400: 'VALIDATION_ERROR', 409: 'EVENT_ARCHIVED', 507: 'STORAGE_FULL' }
  for (const [status, code] of Object.entries(final)) {
    const { fetch, sent } = recordingFetch(() => problemResponse(Number(status), code))
    await expect(connect({ fetch }).events.types()).rejects.toMatchObject({ status: Number(status), code })
    expect(sent, code).toHaveLength(1)
  }
})

test('Retry-After is waited for, unless it is too long', async () => {
  const { fetch } = recordingFetch((_request, count) =>
    count === 1 ? problemResponse(503, 'UNAVAILABLE', { 'retry-after': '1' }) : null,
  )
  const before = performance.now()
  await connect({ fetch }).events.types()
  expect(performance.now() - before).toBeGreaterThan(950)
  const late = recordingFetch(() => problemResponse(503, 'UNAVAILABLE', { 'retry-after': '3600' }))
  await expect(connect({ fetch: late.fetch }).events.types()).rejects.toMatchObject({ retryAfterSeconds: 3600 })
  expect(late.sent).toHaveLength(1)
})

test('a POST without a key is repeated only if the service has done nothing', async () => {
  const event = await createEvent(api, { is_draft: true })
  const lost = losingFetch(1)
  await expect(connect({ fetch: lost.fetch }).events.publish(event.id)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  expect(lost.sent).toHaveLength(1)
  const limited = recordingFetch((_request, count) =>
    count === 1 ? problemResponse(429, 'RATE_LIMITED', { 'retry-after': '0' }) : null,
  )
  await expect(connect({ fetch: limited.fetch }).events.publish(event.id)).rejects.toMatchObject({
    code: 'ALREADY_PUBLISHED',
  })
  expect(limited.sent).toHaveLength(2)
})

test('a signal ends a call and its waiting', async () => {
  const abort = new AbortController()
  const { fetch } = recordingFetch(() => {
    setTimeout(() => abort.abort(new Error('enough')), 0)
    return problemResponse(503, 'UNAVAILABLE', { 'retry-after': '30' })
  })
  await expect(connect({ fetch }).events.types({ signal: abort.signal })).rejects.toThrow('enough')
})

test('the client of openapi-fetch makes every call of the document', async () => {
  const { data, error } = await proofroom.api.GET('/api/v1/event-types')
  expect(error).toBeUndefined()
  expect(data?.eventTypes.map(({ slug_prefix }) => slug_prefix)).toContain('wedding')
})
