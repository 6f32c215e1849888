import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/accounts.ts'
import { createEvent } from '../support/events.ts'
import { expectProblem } from '../support/problems.ts'
import { serviceForFile, serviceForTest } from '../support/test-service.ts'

const service = await serviceForFile()
const { anonymous, url } = service
const cookie = `admin_token=${service.admin.token}`
const { port } = new URL(url)

/** A write that changes nothing, so that only the rule decides. */
const write = (headers: Record<string, string>) => anonymous.put('/api/admin/settings', {}, headers)

describe('a write by cookie', () => {
  const allowed: Array<Record<string, string>> = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-proxy.example' },
    { origin: url },
    { origin: `https://127.0.0.1:${port}` },
  ]
  test.each(allowed)('is let through with %j', async (headers) => {
    expect((await write({ cookie, ...headers })).status).toBe(200)
  })

  const refused: Array<Record<string, string>> = [
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
  test.each(refused)('is 403 CROSS_ORIGIN with %j', async (headers) => {
    expectProblem(await write({ cookie, ...headers }), 403, 'CROSS_ORIGIN')
  })

  test('is let through from the origin of PUBLIC_URL', async () => {
    const proxied = await serviceForTest({ environment: { PUBLIC_URL: 'https://photos.example' } })
    const headers = { cookie: `admin_token=${proxied.admin.token}`, origin: 'https://photos.example' }
    expect((await proxied.anonymous.put('/api/admin/settings', {}, headers)).status).toBe(200)
  })

  test('is refused in every method that writes, and changes nothing', async () => {
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

  test.each(['/api/auth/logout', '/api/admin/auth/logout'])('signs nobody out from another page: %s', async (path) => {
    const { admin } = await createAccount(service, 'viewer')
    const headers = { cookie: `admin_token=${admin.token}`, 'sec-fetch-site': 'cross-site' }
    expectProblem(await anonymous.post(path, {}, headers), 403, 'CROSS_ORIGIN')
    expect((await admin.get('/api/admin/events')).status).toBe(200)
  })
})

describe('the rule does not bind', () => {
  test('reads by cookie', async () => {
    const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await anonymous.get('/api/admin/settings', headers)).status).toBe(200)
  })

  test('writes with a Bearer token, whatever the cookies', async () => {
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

test('a header decides before the cookie', async () => {
  await createEvent(service.api)
  expectProblem(
    await anonymous.get('/api/admin/events', { cookie, authorization: 'Bearer garbage' }),
    401,
    'INVALID_TOKEN',
  )
})
