import { beforeAll, describe, expect, test } from 'vitest'
import { adminRoutes, createPath, customerRoutes, galleryRoutes } from '../../support/access/routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { createSignIn, renewSignIn } from '../../support/fixtures/sign-ins.ts'
import { serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { anonymous, url } = service
const cookie = `admin_token=${service.admin.token}`
const { port } = new URL(url)

let event: TestEvent
let guest: TestClient
let customer: TestClient
beforeAll(async () => {
  event = await createEvent(service.api)
  guest = await enterAsGuest(service, event)
  customer = await signInAsCustomer(service, await createCustomer(service.admin))
})

/** Sends a write that changes nothing, so that only the origin rule decides. */
const sendWrite = (headers: Record<string, string>) => anonymous.put('/api/admin/settings', {}, headers)

describe('a write by cookie', () => {
  const allowed: Array<Record<string, string>> = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-proxy.example' },
    { origin: url },
    { origin: `https://127.0.0.1:${port}` },
  ]
  test.each(allowed)('is accepted with %j', async (headers) => {
    expect((await sendWrite({ cookie, ...headers })).status).toBe(200)
  })

  const rejected: Array<Record<string, string>> = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: url },
    { 'sec-fetch-site': '' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://127.0.0.1' },
    { origin: `http://127.0.0.1.evil.example:${port}` },
  ]
  test.each(rejected)('is 403 CROSS_ORIGIN with %j', async (headers) => {
    expectProblem(await sendWrite({ cookie, ...headers }), 403, 'CROSS_ORIGIN')
  })

  test('is accepted from the origin of PUBLIC_URL', async () => {
    const proxiedService = await serviceForTest({ environment: { PUBLIC_URL: 'https://photos.example' } })
    const headers = { cookie: `admin_token=${proxiedService.admin.token}`, origin: 'https://photos.example' }
    expect((await proxiedService.anonymous.put('/api/admin/settings', {}, headers)).status).toBe(200)
  })

  test('is rejected in every method that writes, and changes nothing', async () => {
    const headers = { cookie, origin: 'https://evil.example' }
    const { body: category } = await service.admin.post('/api/admin/categories', { name: 'Here', is_global: true })
    const path = `/api/admin/categories/${category.id}`
    expectProblem(await anonymous.post('/api/admin/categories', { name: 'x' }, headers), 403, 'CROSS_ORIGIN')
    expectProblem(await anonymous.put(path, { name: 'x' }, headers), 403, 'CROSS_ORIGIN')
    expectProblem(await anonymous.delete(path, headers), 403, 'CROSS_ORIGIN')
    expectProblem(await anonymous.patch('/api/admin/photos/1/photos/1', {}, headers), 403, 'CROSS_ORIGIN')
    const { body } = await service.admin.get('/api/admin/categories/global')
    expect(body.find(({ id }: { id: number }) => id === category.id).name).toBe('Here')
  })
})

describe('from a page of another origin is 403 CROSS_ORIGIN', () => {
  const listWrites = (routes: string[]) => routes.filter((route) => !route.startsWith('GET '))
  const foreign: Array<Record<string, string>> = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: url },
    { origin: 'https://evil.example' },
  ]

  async function expectRejected(route: string, name: string, value: string | undefined, slug = 'nothing') {
    const [method = '', pattern = ''] = route.split(' ')
    for (const headers of foreign) {
      const path = createPath(pattern.replace(':slug', slug))
      const answer = await anonymous.call(method, path, { headers: { ...headers, cookie: `${name}=${value}` } })
      expectProblem(answer, 403, 'CROSS_ORIGIN')
    }
  }

  test.each(listWrites(adminRoutes.map((row) => row.route)))('%s by the cookie of an admin', (route) =>
    expectRejected(route, 'admin_token', service.admin.token),
  )

  test.each(listWrites(customerRoutes))('%s by the cookie of a customer', (route) =>
    expectRejected(route, 'customer_token', customer.token),
  )

  test.each(listWrites(galleryRoutes))('%s by the cookie of a guest', (route) =>
    expectRejected(route, `gallery_${event.id}`, guest.token, event.slug),
  )

  test('POST /api/auth/refresh by its cookie', async () => {
    const { refreshToken } = await createSignIn(service)
    await expectRejected('POST /api/auth/refresh', 'admin_refresh', refreshToken)
    await renewSignIn(service, refreshToken)
  })

  test('every sign-out by a cookie, and all sessions stay', async () => {
    await expectRejected('POST /api/auth/logout', 'admin_token', service.admin.token)
    await expectRejected('POST /api/admin/auth/logout', 'admin_token', service.admin.token)
    await expectRejected('POST /api/customer/auth/logout', 'customer_token', customer.token)
    await expectRejected('POST /api/auth/gallery/logout', `gallery_${event.id}`, guest.token)
    expect((await service.admin.get('/api/admin/events')).status).toBe(200)
    expect((await customer.get('/api/customer/events')).status).toBe(200)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
  })
})

describe('the rule does not apply to', () => {
  test('reads by cookie', async () => {
    const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await anonymous.get('/api/admin/settings', headers)).status).toBe(200)
  })

  test('writes with a Bearer token, with any cookies', async () => {
    const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await service.admin.put('/api/admin/settings', {}, headers)).status).toBe(200)
    const created = await service.api.post(
      '/api/v1/events',
      { event_type: 'other', event_name: 'x', require_password: false },
      headers,
    )
    expect(created.status).toBe(201)
  })
})

test('a header takes precedence over the cookie', async () => {
  expectProblem(
    await anonymous.get('/api/admin/events', { cookie, authorization: 'Bearer garbage' }),
    401,
    'INVALID_TOKEN',
  )
})
