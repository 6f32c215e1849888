import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { sendRaw } from '../../support/clients/raw-http.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

// `typical-mistakes.full.test.ts` tests what the texts say.

const service = await serviceForFile()
const { api, admin, anonymous } = service
let event: TestEvent
let photoId: number
let guest: TestClient
let thumbnail: string
beforeAll(async () => {
  event = await createEvent(api)
  photoId = (await uploadPhotos(api, event.id, 1))[0] as number
  guest = await enterAsGuest(service, event)
  thumbnail = `/api/gallery/${event.slug}/thumbnail/${photoId}`
})

describe('X-Request-Id', () => {
  test('is unique for successes, problems, pages, health and cached thumbnails', async () => {
    const paths = ['/health', '/health/live', '/api/v1/events', '/api/nowhere', '/nowhere', '/api/openapi.json']
    const page = new URL(event.share_url).pathname
    const answers = [
      ...(await Promise.all([...paths, page, '/assets/gallery.css'].map((path) => anonymous.get(path)))),
      await api.get('/api/v1/events'),
      await guest.get(thumbnail),
      await guest.get(thumbnail),
      await guest.get(thumbnail, { 'if-none-match': '*' }),
    ]
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(ids).not.toContain(null)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('of the client is kept, unless it is long or has other characters', async () => {
    const send = async (path: string, id: string) => {
      const client = path === thumbnail ? guest : anonymous
      return (await client.get(path, { 'x-request-id': id })).headers.get('x-request-id')
    }
    const kept = ['7f9c2ba4-e88f-4d2a-9d1c-5b1c2d3e4f50', 'Root:1.2_3', 'a', 'x'.repeat(128)]
    const replaced = ['', 'x'.repeat(129), 'a b', 'a"b', 'a,b', '<b>', '\u00e9', "a';--", '../x']
    for (const path of ['/api/v1/events', '/nowhere', thumbnail]) {
      for (const id of kept) expect(await send(path, id), path).toBe(id)
      for (const id of replaced) expect(await send(path, id), `${path} ${id}`).toMatch(/^[0-9a-f]{8}-\w+$/)
    }
  })
})

describe('what does not exist', () => {
  test('returns 404 JSON below /api and at old static paths, never the web page', async () => {
    const broken = { headers: { 'content-type': 'application/json' }, body: '{' }
    for (const path of ['/api', '/api/', '/api/nowhere', '/api/v1', '/api/v2/events', '/api/admin/nowhere']) {
      expectProblem(await anonymous.get(path, { accept: 'text/html' }), 404, 'NOT_FOUND')
      expectProblem(await api.call('POST', path, broken), 404, 'NOT_FOUND')
    }
    const filename = (await api.get(`/api/v1/events/${event.id}/photos`)).body.photos[0].filename
    for (const path of [`/photos/${event.slug}/${filename}`, `/thumbnails/${event.slug}/${filename}`, '/photos/x/y']) {
      expectProblem(await guest.get(path, { accept: 'text/html' }), 404, 'NOT_FOUND')
    }
    for (const path of ['%2e%2e/package.json', '..%2f..%2fpackage.json', '%2e%2e%2f%2e%2e%2fserver/app.ts', '%00']) {
      const answer = await sendRaw(service.url, `GET /assets/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(answer.status, path).toBe(404)
    }
    for (const slug of ['%zz', '%ED%A0%80', 'x'.repeat(600)]) {
      expectProblem(await anonymous.get(`/api/gallery/${slug}/info`), 404, 'NOT_FOUND')
    }
    expectProblem(await anonymous.get('/api/gallery/%00/info'), 400, 'VALIDATION_ERROR')
  })

  test('says what is wrong with a path, or that there is nothing with an ID', async () => {
    const { body } = await api.get('/api/v1/nowhere')
    const message = 'is not sent to a path of this service'
    expect(body.details).toEqual([{ path: '', message, kind: 'unknown_path' }])
    const unknown = await api.get('/api/v1/events/9007199254740991')
    expectProblem(unknown, 404, 'NOT_FOUND')
    expect(unknown.body).not.toHaveProperty('details')
  })
})

test('an invalid HTTP request returns a problem in our format', async () => {
  const head = 'GET /api/v1/events HTTP/1.1\r\n'
  const requests: Array<[request: string, status: number, code: string]> = [
    ['nonsense\r\n\r\n', 400, 'INVALID_REQUEST'],
    [`${head}Host: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 400, 'INVALID_REQUEST'],
    [`${head}Connection: close\r\n\r\n`, 400, 'INVALID_REQUEST'],
    [`${head}Host: a\r\nExpect: a miracle\r\nConnection: close\r\n\r\n`, 401, 'NO_TOKEN'],
  ]
  for (const [request, status, code] of requests) {
    const answer = await sendRaw(service.url, request)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatch(/^x-request-id: \S+/im)
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), code })
  }
})

test('a wrong method is 405 with Allow', async () => {
  const calls: Array<[method: string, path: string, allow: string]> = [
    ['PUT', '/api/v1/events', 'GET, HEAD, POST'],
    ['POST', '/api/v1/events/1', 'DELETE, GET, HEAD, PATCH'],
    ['PROPFIND', '/api/v1/event-types', 'GET, HEAD'],
    ['GET', '/api/v1/events/1/publish', 'POST'],
    ['PATCH', '/api/gallery/nothing/info', 'GET, HEAD'],
    ['POST', '/api/docs/viewer/index.css', 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
  ]
  for (const [method, path, allow] of calls) {
    for (const caller of [api, anonymous]) {
      const body = method === 'GET' ? {} : { body: '{', headers: { 'content-type': 'application/json' } }
      const answer = await caller.call(method, path, body)
      expectProblem(answer, 405, 'METHOD_NOT_ALLOWED')
      expect(answer.headers.get('allow'), `${method} ${path}`).toBe(allow)
      expect(answer.body.error).toContain(allow)
    }
  }
})

test('ids other than 1 to 2^53-1 are 400 on every kind of route', async () => {
  const routes: Array<(id: string) => ReturnType<TestClient['get']>> = [
    (id) => api.get(`/api/v1/events/${id}/photos`),
    async (id) => api.upload(id as unknown as number, await jpeg()),
    (id) => admin.get(`/api/admin/events/${id}`),
    (id) => admin.get(`/api/admin/categories/event/${id}`),
    (id) => admin.put(`/api/admin/categories/${id}`, {}),
    (id) => admin.delete(`/api/admin/api-tokens/${id}`),
    (id) => admin.get(`/api/admin/photos/${id}/photo/1`),
    (id) => admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, {}),
    (id) => admin.delete(`/api/admin/photos/${event.id}/photos/${id}`),
    (id) => guest.get(`/api/gallery/${event.slug}/photo/${id}`),
    (id) => guest.get(`/api/gallery/${event.slug}/thumbnail/${id}`),
    (id) => guest.get(`/api/gallery/${event.slug}/download/${id}`),
  ]
  for (const send of routes) {
    for (const id of ['0', '9007199254740992']) expectProblem(await send(id), 400, 'VALIDATION_ERROR')
  }
  for (const id of ['-1', 'abc', '1.5', '99999999999999999999', '1.0', '01', '1e0', '+1', '0x1', '%201']) {
    expectProblem(await api.get(`/api/v1/events/${id}`), 400, 'VALIDATION_ERROR')
  }
})

test('pages and limits are never clamped, and unknown query parameters are ignored', async () => {
  const lists: Array<[client: TestClient, path: string]> = [
    [api, '/api/v1/events'],
    [admin, '/api/admin/events'],
    [api, `/api/v1/events/${event.id}/photos`],
    [guest, `/api/gallery/${event.slug}/photos`],
  ]
  for (const [client, path] of lists) {
    const get = (query: string) => client.get(`${path}?${query}`)
    for (const page of ['0', '01', 'abc', '1.5', '2147483649']) expectInvalidField(await get(`page=${page}`), 'page')
    for (const limit of ['0', '-1', '101', 'abc', '1.5']) expectInvalidField(await get(`limit=${limit}`), 'limit')
    for (const page of [2, 2 ** 31]) {
      const { status, body } = await get(`page=${page}`)
      expect([status, body.events ?? body.photos], path).toEqual([200, []])
      expect(body.pagination).toMatchObject({ page, total: 1, pages: 1 })
    }
    const { pagination } = (await get('sorting=none&limit=100&x[]=1')).body
    expect(pagination, path).toMatchObject({ page: 1, limit: 100, total: 1 })
  }
  for (const offset of ['-1', 'abc', '1.5']) {
    expectInvalidField(await api.get(`/api/v1/events?offset=${offset}`), 'offset')
  }
})

test('a response to a HEAD has no body', async () => {
  const { status, bytes } = await anonymous.head('/api/v1/events')
  expect([status, bytes.length]).toEqual([401, 0])
})
