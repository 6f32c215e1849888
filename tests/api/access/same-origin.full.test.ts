import { beforeAll, expect, test } from 'vitest'
import { adminRoutes, createPath, customerRoutes, galleryRoutes } from '../../support/access/routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { createSignIn, renewSignIn } from '../../support/fixtures/sign-ins.ts'
import { sharedService } from '../../support/service/test-service.ts'

// `server/access/same-origin-hook.test.ts` tests which headers count as those of another origin.

const service = await sharedService()
const { admin, anonymous, url } = service
const foreign: Array<Record<string, string>> = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: url },
  { origin: 'https://evil.example' },
]

let event: TestEvent
let guest: TestClient
let customer: TestClient
beforeAll(async () => {
  event = await createEvent(service.api)
  guest = await enterAsGuest(service, event)
  customer = await signInAsCustomer(service, await createCustomer(admin))
})

const cookies = {
  admin: () => `admin_token=${admin.token}`,
  customer: () => `customer_token=${customer.token}`,
  guest: () => `gallery_${event.id}=${guest.token}`,
}

async function expectRejected(route: string, cookie: string, headers = foreign) {
  const [method = '', pattern = ''] = route.split(' ')
  const path = createPath(pattern.replace(':slug', event.slug))
  for (const page of headers) {
    const { status, body } = await anonymous.call(method, path, { headers: { ...page, cookie } })
    expect([status, body.code], `${route} from ${JSON.stringify(page)}`).toEqual([403, 'CROSS_ORIGIN'])
  }
}

const routes = { admin: adminRoutes.map(({ route }) => route), customer: customerRoutes, guest: galleryRoutes }
test.each(Object.entries(routes))('every write by the cookie of a %s from another origin is 403', async (who, all) => {
  const writes = all.filter((route) => !route.startsWith('GET '))
  for (const [index, route] of writes.entries()) {
    // All routes have the same hook, so each tests one of the headers.
    await expectRejected(route, cookies[who as keyof typeof cookies](), [foreign[index % 3] ?? {}])
  }
})

test('sign-outs and refreshes by a cookie too, and all sessions stay', async () => {
  const { refreshToken } = await createSignIn(service)
  await expectRejected('POST /api/auth/refresh', `admin_refresh=${refreshToken}`)
  await renewSignIn(service, refreshToken)
  await expectRejected('POST /api/auth/logout', cookies.admin())
  await expectRejected('POST /api/admin/auth/logout', cookies.admin())
  await expectRejected('POST /api/customer/auth/logout', cookies.customer())
  await expectRejected('POST /api/auth/gallery/logout', cookies.guest())
  expect((await admin.get('/api/admin/events')).status).toBe(200)
  expect((await customer.get('/api/customer/events')).status).toBe(200)
  expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
})

test('reads by cookie and writes with a Bearer token may come from anywhere', async () => {
  const headers = { cookie: cookies.admin(), 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await anonymous.get('/api/admin/settings', headers)).status).toBe(200)
  expect((await admin.put('/api/admin/settings', {}, headers)).status).toBe(200)
  const body = { event_type: 'other', event_name: 'x', require_password: false }
  expect((await service.api.post('/api/v1/events', body, headers)).status).toBe(201)
  expect((await anonymous.put('/api/admin/settings', {}, { cookie: cookies.admin(), origin: url })).status).toBe(200)
  const invalid = { cookie: cookies.admin(), authorization: 'Bearer garbage' }
  expectProblem(await anonymous.get('/api/admin/events', invalid), 401, 'INVALID_TOKEN')
})
