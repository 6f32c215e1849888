import { beforeAll, describe, expect, test } from 'vitest'
import {
  apiTokenRoutes,
  createPath,
  customerRoutes,
  galleryRoutes,
  unauthenticatedRoutes,
} from '../../support/access/routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestResponse } from '../../support/clients/test-client.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import {
  createCredentials,
  createInvalidTokens,
  jwtSecret,
  listForeignCredentials,
  type RouteFamily,
} from '../../support/fixtures/credentials.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { isLongRun } from '../../support/run/long-run.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

// `admin-table.full.test.ts` tests the admin API, and `each-route.test.ts` each route without a credential.

const service = await serviceForFile({ environment: { JWT_SECRET: jwtSecret } })
const { admin, anonymous, api } = service

let event: TestEvent
let known: Record<RouteFamily, Record<string, string>>
let invalid: Array<[string, string]>
beforeAll(async () => {
  event = await createEvent(service.api)
  known = await createCredentials(service, event)
  invalid = Object.entries(createInvalidTokens(service, event))
})

function call(route: string, headers: Record<string, string>, query = ''): Promise<TestResponse> {
  const [method = '', pattern = ''] = route.split(' ')
  return anonymous.call(method, createPath(pattern.replace(':slug', event.slug)) + query, { headers })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Expects 401 INVALID_TOKEN, with an error that matches `wanted`, for each of these credentials. */
async function expectInvalid(
  route: string,
  credentials: Array<[string, string]>,
  { wanted = /\S/, headers = bearer }: { wanted?: RegExp; headers?: (token: string) => Record<string, string> } = {},
): Promise<void> {
  for (const [name, token] of credentials) {
    const answer = await call(route, headers(token))
    expect([answer.status, answer.body?.code], `${route} with ${name}`).toEqual([401, 'INVALID_TOKEN'])
    expect(answer.body.error, `${route} with ${name}`).toMatch(wanted)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  }
}

/** All routes read credentials with the same function, so each route tests a third; `npm run test:long` tests all. */
const selectThird = <T>(all: T[], index: number): T[] =>
  isLongRun ? all : all.filter((_, place) => (place + index) % 3 === 0)

const families: Array<{ name: string; routes: string[]; own: RouteFamily[]; wanted: RegExp }> = [
  { name: 'the public API', routes: apiTokenRoutes.map(({ route }) => route), own: ['api'], wanted: /API token/ },
  { name: 'the customer API', routes: customerRoutes, own: ['customer'], wanted: /customer/ },
  { name: 'a gallery', routes: galleryRoutes, own: ['gallery', 'admin'], wanted: /gallery/ },
]

test.each(families)('$name rejects other credentials and names its own family', async ({ routes, own, wanted }) => {
  const foreign = listForeignCredentials(known, ...own)
  expect(foreign.length).toBeGreaterThan(5)
  for (const [index, route] of routes.entries()) {
    await expectInvalid(route, selectThird(foreign, index), { wanted })
    await expectInvalid(route, selectThird(invalid, index))
  }
})

test('no route reads a token from the query, nor the cookie of an admin outside the admin API', async () => {
  const guest = Object.values(known.gallery)[0]
  const tokens = [api.token, admin.token, guest]
  const query = ['token', 'access_token', 'api_token'].flatMap((name) => tokens.map((token) => `${name}=${token}`))
  for (const route of families.flatMap(({ routes }) => routes)) {
    const answer = await call(route, { cookie: `admin_token=${admin.token}` }, `?${query.join('&')}`)
    expect([answer.status, answer.body?.code], route).toEqual([401, 'NO_TOKEN'])
  }
})

test('cookies and X-Guest-Token accept only their own family', async () => {
  const list = 'GET /api/gallery/:slug/photos'
  const cookies: Array<[route: string, name: string, own: RouteFamily, more?: Record<string, string>]> = [
    ['GET /api/admin/events', 'admin_token', 'admin'],
    ['GET /api/customer/events', 'customer_token', 'customer'],
    [list, `gallery_${event.id}`, 'gallery'],
    [list, 'admin_token', 'admin', { 'x-operator-view': '1' }],
  ]
  for (const [route, name, own, more] of cookies) {
    const headers = (token: string) => ({ cookie: `${name}=${token}`, ...more })
    await expectInvalid(route, listForeignCredentials(known, own), { headers })
  }
  const guest = Object.values(known.gallery)[0] ?? ''
  const headers = (token: string) => ({ ...bearer(guest), 'x-guest-token': token })
  await expectInvalid(list, listForeignCredentials(known), { headers })
})

test('/metrics requires an admin session or a token with scope admin', async () => {
  expect((await admin.get('/metrics')).status).toBe(200)
  expect((await api.get('/metrics')).headers.get('content-type')).toMatch(/^text\/plain/)
  expectProblem(await anonymous.get('/metrics'), 401, 'NO_TOKEN')
  for (const scope of ['read', 'write']) {
    const client = createClient(service.url, await createApiToken(admin, [scope]))
    expectProblem(await client.get('/metrics'), 403, 'INSUFFICIENT_SCOPE')
  }
  await expectInvalid('GET /metrics', listForeignCredentials(known, 'admin', 'api'))
})

describe('open routes', () => {
  const bodies = {
    '/api/auth/refresh': { own: /refresh/, key: 'refresh_token', body: {} },
    '/api/auth/admin/login/mfa': { own: /mfa/, key: 'mfaToken', body: { code: '123456' } },
  }

  test.each(Object.entries(bodies))('%s accepts only its own kind', async (path, { own, key, body }) => {
    const foreign = listForeignCredentials(known).filter(([name]) => !own.test(name))
    expect(foreign.length).toBeGreaterThan(10)
    for (const [name, token] of foreign) {
      const answer = await anonymous.post(path, { ...body, [key]: token })
      expect([name, answer.status, answer.body.code]).toEqual([name, 401, 'INVALID_TOKEN'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test.each([
    ['/api/auth/session', 'admin'],
    ['/api/customer/auth/session', 'customer'],
  ] as const)('GET %s recognizes only the session of its own family', async (path, own) => {
    const isRecognized = async (token: string) => (await createClient(service.url, token).get(path)).body.valid
    for (const [name, token] of listForeignCredentials(known, own)) expect(await isRecognized(token), name).toBe(false)
    expect(await isRecognized(Object.values(known[own])[0] ?? '')).toBe(true)
  })

  test('treat a foreign credential like no credential', async () => {
    const checksItself = new Set(['GET /metrics', 'GET /api/auth/session', 'GET /api/customer/auth/session'])
    const reads = unauthenticatedRoutes.filter((route) => route.startsWith('GET ') && !checksItself.has(route))
    for (const [index, route] of reads.entries()) {
      const own: RouteFamily[] = route.startsWith('GET /gallery/') ? ['gallery', 'admin'] : []
      const { status } = await call(route, {})
      for (const [name, token] of selectThird(listForeignCredentials(known, ...own), index)) {
        expect((await call(route, bearer(token))).status, `${route} with ${name}`).toBe(status)
      }
    }
  })

  test('a sign-out ends only the sessions of its own family', async () => {
    const accesses = {
      '/api/auth/logout': 'admin',
      '/api/admin/auth/logout': 'admin',
      '/api/customer/auth/logout': 'customer',
      '/api/auth/gallery/logout': 'gallery',
    } as const
    for (const [path, own] of Object.entries(accesses)) {
      for (const [name, token] of listForeignCredentials(known, own)) {
        expect((await createClient(service.url, token).post(path, {})).status, `${path} with ${name}`).toBe(200)
      }
    }
    const open: Array<[RouteFamily, string]> = [
      ['admin', 'GET /api/admin/events'],
      ['api', 'GET /api/v1/events'],
      ['customer', 'GET /api/customer/events'],
      ['gallery', 'GET /api/gallery/:slug/photos'],
    ]
    for (const [family, route] of open) {
      const answers = await Promise.all(Object.values(known[family]).map((token) => call(route, bearer(token))))
      expect(answers.map(({ status }) => status)).toContain(200)
      expect(answers.map(({ body }) => body.code)).not.toContain('TOKEN_REVOKED')
    }
    const refresh_token = known.none['the refresh token of an admin']
    expect((await anonymous.post('/api/auth/refresh', { refresh_token })).status).toBe(200)
  })
})
