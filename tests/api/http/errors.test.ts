import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { sendRaw } from '../../support/clients/raw-http.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { api, admin, anonymous } = service
let event: TestEvent
let photoId: number
let guest: TestClient
beforeAll(async () => {
  event = await createEvent(api)
  photoId = (await uploadPhotos(api, event.id, 1))[0] as number
  guest = await enterAsGuest(service, event)
})

describe('every response has X-Request-Id', () => {
  test('a unique one for successes, problems, pages, health and cached thumbnails', async () => {
    const thumbnail = `/api/gallery/${event.slug}/thumbnail/${photoId}`
    const answers = [
      await anonymous.get('/health'),
      await anonymous.get('/health/live'),
      await api.get('/api/v1/events'),
      await anonymous.get('/api/v1/events'),
      await anonymous.get('/api/nowhere'),
      await anonymous.get('/nowhere'),
      await anonymous.get('/api/openapi.json'),
      await anonymous.get(new URL(event.share_url).pathname),
      await anonymous.get('/assets/gallery.css'),
      await guest.get(thumbnail),
      await guest.get(thumbnail),
      await guest.get(thumbnail, { 'if-none-match': '*' }),
    ]
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(ids).not.toContain(null)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('an X-Request-Id of the client', () => {
  const paths = () => ['/api/v1/events', '/nowhere', `/api/gallery/${event.slug}/thumbnail/${photoId}`]
  const send = async (id: string) => {
    for (const path of [...paths(), ...paths()]) {
      const client = path.startsWith('/api/gallery') ? guest : anonymous
      const returned = (await client.get(path, { 'x-request-id': id })).headers.get('x-request-id')
      if (returned !== id) return returned
    }
    return id
  }

  test.each(['7f9c2ba4-e88f-4d2a-9d1c-5b1c2d3e4f50', 'Root:1.2_3', 'a', 'x'.repeat(128)])('is kept: %s', async (id) => {
    expect(await send(id)).toBe(id)
  })

  test.each(['', 'x'.repeat(129), 'a b', 'a"b', 'a,b', '<b>', '\u00e9', "a';--", '../x'])(
    'is replaced if it is long or has other characters: %s',
    async (id) => {
      expect(await send(id)).toMatch(/^[0-9a-f]{8}-\w+$/)
    },
  )
})

describe('what does not exist', () => {
  const paths = ['/api', '/api/', '/api/nowhere', '/api/v1', '/api/v1/nowhere', '/api/v2/events', '/api/admin/nowhere']
  test.each(paths)('%s returns 404 JSON, never the web page', async (path) => {
    expectProblem(await anonymous.get(path, { accept: 'text/html' }), 404, 'NOT_FOUND')
    expectProblem(await api.post(path, {}), 404, 'NOT_FOUND')
    const broken = { headers: { 'content-type': 'application/json' }, body: '{' }
    expectProblem(await api.call('POST', path, broken), 404, 'NOT_FOUND')
  })

  test('a missing Host and an unknown Expect return a problem in our format', async () => {
    const noHost = await sendRaw(service.url, 'GET /api/v1/events HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect([noHost.status, JSON.parse(noHost.body).code]).toEqual([400, 'INVALID_REQUEST'])
    const requestWithExpect = 'GET /api/v1/events HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\nConnection: close\r\n\r\n'
    const expected = await sendRaw(service.url, requestWithExpect)
    expect([expected.status, JSON.parse(expected.body).code]).toEqual([401, 'NO_TOKEN'])
    for (const { headers } of [noHost, expected]) expect(headers).toMatch(/^x-request-id: \S/im)
  })

  test('the old static paths of photos and thumbnails return 404 JSON', async () => {
    const filename = (await api.get(`/api/v1/events/${event.id}/photos`)).body.photos[0].filename
    for (const path of [`/photos/${event.slug}/${filename}`, `/thumbnails/${event.slug}/${filename}`, '/photos/x/y']) {
      expectProblem(await guest.get(path, { accept: 'text/html' }), 404, 'NOT_FOUND')
    }
  })

  test.each([
    ['%zz', 404, 'NOT_FOUND'],
    ['%ED%A0%80', 404, 'NOT_FOUND'],
    ['%00', 400, 'VALIDATION_ERROR'],
    ['x'.repeat(600), 404, 'NOT_FOUND'],
  ])('a gallery at a malformed or very long path: %s', async (slug, status, code) => {
    expectProblem(await anonymous.get(`/api/gallery/${slug}/info`), status, code)
  })

  test('a path outside the style sheets', async () => {
    for (const path of ['%2e%2e/package.json', '..%2f..%2fpackage.json', '%2e%2e%2f%2e%2e%2fserver/app.ts', '%00']) {
      const answer = await sendRaw(service.url, `GET /assets/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(answer.status).toBe(404)
    }
  })

  test('an invalid HTTP request or too long headers return a problem too', async () => {
    for (const request of [
      'nonsense\r\n\r\n',
      `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const { status, headers, body } = await sendRaw(service.url, request)
      expect(status).toBe(400)
      expect(headers).toMatch(/^x-request-id: \S+/im)
      expect(JSON.parse(body)).toEqual({ error: expect.any(String), code: 'INVALID_REQUEST' })
    }
  })
})

describe('what was wrong with an address', () => {
  const unknownPath = [{ path: '', message: 'is not sent to a path of this service', kind: 'unknown_path' }]

  test.each([
    ['/api/v1/nowhere', /See \/api\/docs/],
    ['/v1/events', /begin with \/api\./],
    ['/api/events', /begin with \/api\/v1/],
    ['/api/v1/events?token=1', null],
    ['/api/v1/event-types/', /Remove the slash/],
    ['/api//v1/events', /two slashes/],
  ])('an unknown path says what is wrong with it: %s', async (path, sentence) => {
    const answer = await api.get(path)
    if (!sentence) return expect(answer.status).toBe(200)
    expectProblem(answer, 404, 'NOT_FOUND')
    expect(answer.body).toMatchObject({ error: expect.stringMatching(sentence), details: unknownPath })
  })

  test('an unknown ID at a known path has another message', async () => {
    const answer = await api.get('/api/v1/events/9007199254740991')
    expectProblem(answer, 404, 'NOT_FOUND')
    expect(answer.body).toEqual({ error: expect.stringMatching(/nothing with this ID/), code: 'NOT_FOUND' })
  })

  test.each([
    ['PUT', '/api/v1/events', 'GET, HEAD, POST'],
    ['POST', '/api/v1/events/1', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/api/v1/events', 'GET, HEAD, POST'],
    ['PROPFIND', '/api/v1/event-types', 'GET, HEAD'],
    ['GET', '/api/v1/events/1/publish', 'POST'],
    ['PATCH', '/api/gallery/nothing/info', 'GET, HEAD'],
    ['POST', '/api/docs/viewer/index.css', 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
  ])('a wrong method: %s %s', async (method, path, allow) => {
    for (const caller of [api, anonymous]) {
      const body = method === 'GET' ? {} : { body: '{', headers: { 'content-type': 'application/json' } }
      const answer = await caller.call(method, path, body)
      expectProblem(answer, 405, 'METHOD_NOT_ALLOWED')
      expect(answer.headers.get('allow')).toBe(allow)
      expect(answer.body.error).toContain(allow)
    }
  })

  test.each([
    ['POST', '/api/v1/events', 'application/json'],
    ['POST', `/api/v1/events/1/photos`, 'multipart/form-data'],
  ])('a wrong type of body names the right one: %s %s', async (method, path, type) => {
    const headers = { 'content-type': 'application/xml' }
    const answer = await api.call(method, path, { headers, body: '<event/>' })
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    expect(answer.body.error).toContain(`Send the body as ${type},`)
  })
})

test('a path that ends before an id returns 404', async () => {
  for (const path of ['/api/v1/events/', '/api/v1/events//photos']) {
    expectProblem(await api.get(path), 404, 'NOT_FOUND')
  }
})

describe('ids other than 1 to 2^53-1 return 400', () => {
  const ids = [
    '0',
    '-1',
    'abc',
    '1.5',
    '9007199254740992',
    '99999999999999999999',
    '1.0',
    '01',
    '1e0',
    '+1',
    '0x1',
    '%201',
  ]
  test.each(ids)('%s', async (id) => {
    const answers = [
      await api.get(`/api/v1/events/${id}`),
      await api.get(`/api/v1/events/${id}/photos`),
      await api.upload(id as unknown as number, await jpeg()),
      await admin.get(`/api/admin/events/${id}`),
      await admin.get(`/api/admin/categories/event/${id}`),
      await admin.put(`/api/admin/categories/${id}`, {}),
      await admin.delete(`/api/admin/categories/${id}`),
      await admin.delete(`/api/admin/api-tokens/${id}`),
      await admin.get(`/api/admin/photos/${id}/photo/1`),
      await admin.get(`/api/admin/photos/${event.id}/photo/${id}`),
      await admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, {}),
      await admin.delete(`/api/admin/photos/${event.id}/photos/${id}`),
      await guest.get(`/api/gallery/${event.slug}/photo/${id}`),
      await guest.get(`/api/gallery/${event.slug}/thumbnail/${id}`),
      await guest.get(`/api/gallery/${event.slug}/download/${id}`),
    ]
    for (const answer of answers) expectProblem(answer, 400, 'VALIDATION_ERROR')
  })

  test('the largest id is valid and not found', async () => {
    expectProblem(await api.get('/api/v1/events/9007199254740991'), 404, 'NOT_FOUND')
  })
})

describe('pages and limits are never clamped', () => {
  const lists = {
    'GET /api/v1/events': () => [api, '/api/v1/events'] as const,
    'GET /api/admin/events': () => [admin, '/api/admin/events'] as const,
    'GET /api/v1/events/{id}/photos': () => [api, `/api/v1/events/${event.id}/photos`] as const,
    'GET /api/gallery/{slug}/photos': () => [guest, `/api/gallery/${event.slug}/photos`] as const,
  }

  describe.each(Object.entries(lists))('%s', (_name, getList) => {
    const get = (query: string) => {
      const [client, path] = getList()
      return client.get(`${path}?${query}`)
    }

    test.each(['0', '-1', '01', '1.0', 'abc', '1.5', '2147483649'])('page=%s returns 400', async (page) => {
      expectInvalidField(await get(`page=${page}`), 'page')
    })

    test.each(['0', '-1', '101', '1000000000', 'abc', '1.5'])('limit=%s returns 400', async (limit) => {
      expectInvalidField(await get(`limit=${limit}`), 'limit')
    })

    test('a page after the last returns 200 with an empty list', async () => {
      for (const page of [2, 1_000_000_000, 2 ** 31]) {
        const { status, body } = await get(`page=${page}`)
        expect(status).toBe(200)
        expect(body.events ?? body.photos).toEqual([])
        expect(body.pagination).toMatchObject({ page, total: 1, pages: 1 })
      }
    })

    test('unknown query parameters are ignored', async () => {
      const { body } = await get('sorting=none&limit=100&x[]=1')
      expect(body.pagination).toMatchObject({ page: 1, limit: 100, total: 1 })
    })
  })

  test.each(['-1', 'abc', '1.5'])('an offset of %s returns 400', async (offset) => {
    expectInvalidField(await api.get(`/api/v1/events?offset=${offset}`), 'offset')
  })
})

test('a response to a HEAD has the headers of the GET and no body', async () => {
  const answer = await createClient(service.url).head('/api/v1/events')
  expect(answer.status).toBe(401)
  expect(answer.bytes).toHaveLength(0)
})
