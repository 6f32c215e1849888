import { beforeAll, describe, expect, test } from 'vitest'
import { apiTokenRoutes, createPath, customerRoutes, galleryRoutes } from '../../support/access/routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient, TestResponse } from '../../support/clients/test-client.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import { createInvalidTokens, jwtSecret } from '../../support/fixtures/credentials.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile({ environment: { JWT_SECRET: jwtSecret } })
let event: TestEvent
let guest: TestClient
beforeAll(async () => {
  event = await createEvent(service.api)
  guest = await enterAsGuest(service, event)
})

function callRoute(client: TestClient, route: string, headers: Record<string, string> = {}): Promise<TestResponse> {
  const [method = '', pattern = ''] = route.split(' ')
  return client.call(method, createPath(pattern.replace(':slug', event.slug)), { headers })
}

// The routes of the admin API are checked with their own table, in admin-table.full.test.ts.
const tokenRoutes = apiTokenRoutes.map(({ route }) => route).concat(galleryRoutes, customerRoutes)

function expectUnauthorized(answer: TestResponse, code: string): void {
  expectProblem(answer, 401, code)
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
}

describe.each(tokenRoutes)('%s', (route) => {
  test('requires a credential', async () => {
    expectUnauthorized(await callRoute(service.anonymous, route), 'NO_TOKEN')
  })

  test('rejects unsigned tokens', async () => {
    for (const [name, token] of Object.entries(createInvalidTokens(service, event))) {
      const answer = await callRoute(createClient(service.url, token), route)
      expect(answer.body?.code, name).toBe('INVALID_TOKEN')
      expectUnauthorized(answer, 'INVALID_TOKEN')
    }
  })

  test('accepts no token from the query string', async () => {
    const [method = '', pattern = ''] = route.split(' ')
    const path = createPath(pattern.replace(':slug', event.slug))
    const tokens = [service.api.token, service.admin.token, guest.token]
    const query = ['token', 'access_token', 'api_token'].flatMap((name) => tokens.map((token) => `${name}=${token}`))
    expectProblem(await service.anonymous.call(method, `${path}?${query.join('&')}`), 401, 'NO_TOKEN')
  })
})

test('the admin cookie alone opens no public route and no gallery', async () => {
  const headers = { cookie: `admin_token=${service.admin.token}` }
  for (const route of [...apiTokenRoutes.map(({ route }) => route), ...galleryRoutes]) {
    expectUnauthorized(await callRoute(service.anonymous, route, headers), 'NO_TOKEN')
  }
})

test('a token in another scheme than Bearer is no credential', async () => {
  const headers = { authorization: `Basic ${service.api.token}` }
  expectUnauthorized(await service.anonymous.get('/api/v1/events', headers), 'NO_TOKEN')
})

test('/metrics requires an admin session or a token with scope admin', async () => {
  const { api, admin, anonymous } = service
  expect((await admin.get('/metrics')).status).toBe(200)
  expect((await api.get('/metrics')).headers.get('content-type')).toMatch(/^text\/plain/)
  expectProblem(await anonymous.get('/metrics'), 401, 'NO_TOKEN')
  for (const scope of ['read', 'write']) {
    const client = createClient(service.url, await createApiToken(admin, [scope]))
    expectProblem(await client.get('/metrics'), 403, 'INSUFFICIENT_SCOPE')
  }
})
