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
import {
  createCredentials,
  jwtSecret,
  listForeignCredentials,
  type RouteFamily,
} from '../../support/fixtures/credentials.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile({ environment: { JWT_SECRET: jwtSecret } })
const { anonymous } = service

let event: TestEvent
let known: Record<RouteFamily, Record<string, string>>
beforeAll(async () => {
  event = await createEvent(service.api)
  known = await createCredentials(service, event)
})

function call(route: string, headers: Record<string, string>): Promise<TestResponse> {
  const [method = '', pattern = ''] = route.split(' ')
  return anonymous.call(method, createPath(pattern.replace(':slug', event.slug)), { headers })
}

/** Sends every credential of other families. Expects 401 INVALID_TOKEN, with an error that matches `wanted`. */
async function expectForeignRejected(
  route: string,
  { own, wanted, headers }: { own: RouteFamily[]; wanted?: RegExp; headers: (token: string) => Record<string, string> },
): Promise<void> {
  const foreign = listForeignCredentials(known, ...own)
  expect(foreign.length).toBeGreaterThan(5)
  for (const [name, token] of foreign) {
    const answer = await call(route, headers(token))
    expect([name, answer.status, answer.body?.code]).toEqual([name, 401, 'INVALID_TOKEN'])
    expectProblem(answer, 401, 'INVALID_TOKEN')
    if (wanted) expect([name, answer.body.error]).toEqual([name, expect.stringMatching(wanted)])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('any other credential is 401 INVALID_TOKEN, which names the required family', () => {
  test.each(apiTokenRoutes)('$route requires an API token', ({ route }) =>
    expectForeignRejected(route, { own: ['api'], wanted: /API token/, headers: bearer }),
  )

  // `admin-table.full.test.ts` tests the admin API.
  test.each(customerRoutes)('%s requires the session of a customer', (route) =>
    expectForeignRejected(route, { own: ['customer'], wanted: /customer/, headers: bearer }),
  )

  test.each(galleryRoutes)('%s requires the session of a guest or of an admin', (route) =>
    expectForeignRejected(route, { own: ['gallery', 'admin'], wanted: /gallery/, headers: bearer }),
  )

  test('/metrics requires the session of an admin or an API token', () =>
    expectForeignRejected('GET /metrics', { own: ['admin', 'api'], headers: bearer }))
})

describe('tokens of other families are rejected in', () => {
  test('admin_token', () =>
    expectForeignRejected('GET /api/admin/events', {
      own: ['admin'],
      headers: (token) => ({ cookie: `admin_token=${token}` }),
    }))

  test('customer_token', () =>
    expectForeignRejected('GET /api/customer/events', {
      own: ['customer'],
      headers: (token) => ({ cookie: `customer_token=${token}` }),
    }))

  test('the cookie of a gallery, admins included', () =>
    expectForeignRejected('GET /api/gallery/:slug/photos', {
      own: ['gallery'],
      headers: (token) => ({ cookie: `gallery_${event.id}=${token}` }),
    }))

  test('admin_token in a gallery if the operator view is requested', () =>
    expectForeignRejected('GET /api/gallery/:slug/photos', {
      own: ['admin'],
      headers: (token) => ({ cookie: `admin_token=${token}`, 'x-operator-view': '1' }),
    }))

  test('X-Guest-Token', async () => {
    const guest = Object.values(known.gallery)[0] ?? ''
    for (const token of Object.values(known).flatMap(Object.values<string>)) {
      const answer = await call('GET /api/gallery/:slug/photos', { ...bearer(guest), 'x-guest-token': token })
      expectProblem(answer, 401, 'INVALID_TOKEN')
    }
  })
})

describe('open routes', () => {
  const bodies = {
    'POST /api/auth/refresh': {
      own: ['the refresh token of an admin', 'a session of the type refresh'],
      key: 'refresh_token',
      body: {},
    },
    'POST /api/auth/admin/login/mfa': {
      own: ['the mfaToken of a first step', 'a session of the type mfa'],
      key: 'mfaToken',
      body: { code: '123456' },
    },
  }

  test.each(Object.entries(bodies))('%s accepts only its own kind', async (route, { own, key, body }) => {
    for (const [name, token] of listForeignCredentials(known)) {
      if (own.includes(name)) continue
      const answer = await anonymous.post(route.replace('POST ', ''), { ...body, [key]: token })
      expect([name, answer.status, answer.body.code]).toEqual([name, 401, 'INVALID_TOKEN'])
    }
  })

  test.each([
    ['/api/auth/session', 'admin'],
    ['/api/customer/auth/session', 'customer'],
  ] as const)('GET %s recognizes only the session of its own family', async (path, own) => {
    const isRecognized = async (token: string) => (await createClient(service.url, token).get(path)).body.valid
    for (const [, token] of listForeignCredentials(known, own)) expect(await isRecognized(token)).toBe(false)
    expect(await isRecognized(Object.values(known[own])[0] ?? '')).toBe(true)
  })

  const checksItself = new Set(['GET /metrics', 'GET /api/auth/session', 'GET /api/customer/auth/session'])
  const reads = unauthenticatedRoutes.filter((route) => route.startsWith('GET ') && !checksItself.has(route))

  test.each(reads)('%s treats a foreign credential like no credential', async (route) => {
    const own: RouteFamily[] = route.startsWith('GET /gallery/') ? ['gallery', 'admin'] : []
    const { status } = await call(route, {})
    for (const [name, token] of listForeignCredentials(known, ...own)) {
      expect([name, (await call(route, bearer(token))).status]).toEqual([name, status])
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
      for (const [, token] of listForeignCredentials(known, own)) {
        expect((await createClient(service.url, token).post(path, {})).status).toBe(200)
      }
    }
    const { admin, api, customer, gallery } = known
    const open: Array<[Record<string, string>, string]> = [
      [admin, 'GET /api/admin/events'],
      [api, 'GET /api/v1/events'],
      [customer, 'GET /api/customer/events'],
      [gallery, 'GET /api/gallery/:slug/photos'],
    ]
    for (const [tokens, route] of open) {
      const answers = await Promise.all(Object.values(tokens).map((token) => call(route, bearer(token))))
      expect(answers.map(({ status }) => status)).toContain(200)
      expect(answers.map(({ body }) => body.code)).not.toContain('TOKEN_REVOKED')
    }
    const refreshed = await anonymous.post('/api/auth/refresh', {
      refresh_token: known.none['the refresh token of an admin'],
    })
    expect(refreshed.status).toBe(200)
  })
})
