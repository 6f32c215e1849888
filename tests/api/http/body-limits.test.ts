import { expect, test } from 'vitest'
import { listOpenWrites } from '../../support/access/open-routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { adminPassword, serviceForTest } from '../../support/service/test-service.ts'

const keys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, key) => [key, 0])))

test('sign-in routes take 16 KB; malformed bodies of an address do not refuse its correct password', async () => {
  const service = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const send = (path: string, body: string) =>
    service.anonymous.call('POST', path, { headers: { 'content-type': 'application/json' }, body })
  const routes = [
    '/api/auth/admin/login',
    '/api/auth/gallery/share-login',
    '/api/auth/gallery/verify',
    '/api/customer/auth/login',
  ]
  for (const path of routes) expectProblem(await send(path, keys(100_000)), 413, 'BODY_TOO_LARGE')
  for (const path of routes) expectProblem(await send(path, '{'), 400, 'INVALID_JSON')
  for (const path of routes) expectProblem(await send(path, keys(1_000)), 400, 'VALIDATION_ERROR')
  for (let count = 0; count < 60; count++) await send('/api/auth/admin/login', '{')
  const signIn = await service.anonymous.post('/api/auth/admin/login', { username: 'admin', password: adminPassword })
  expect(signIn.status).toBe(200)
})

test('other routes take what their fields can hold', async () => {
  const service = await serviceForTest()
  const path = '/api/v1/events'
  const send = (body: string) =>
    service.api.call('POST', path, { headers: { 'content-type': 'application/json' }, body })
  expectProblem(await send(keys(100_000)), 413, 'BODY_TOO_LARGE')
  expectProblem(await send(keys(1_000)), 400, 'VALIDATION_ERROR')
})

test('routes without a session of an account take at most 64 KB, and 256 KB of ids', async () => {
  const routes = await listOpenWrites(await serviceForTest())
  expect(routes.length).toBeGreaterThan(20)
  const limits = routes.filter(({ consumes }) => consumes === '').map(({ bodyLimit }) => bodyLimit)
  expect(Math.min(...limits)).toBeGreaterThan(0)
  const large = routes.filter(({ bodyLimit }) => bodyLimit > 64 * 2 ** 10)
  expect(large.map(({ url }) => url)).toEqual(['/api/gallery/:slug/download-selected'])
  expect(Math.max(...limits)).toBeLessThanOrEqual(256 * 2 ** 10)
})
