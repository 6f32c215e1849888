import { expect, test } from 'vitest'
import { listOpenWrites } from '../../support/access/open-routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { adminPassword, serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile({ environment: { RATE_LIMIT: 'on' } })
const { anonymous, api } = service

const keys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, key) => [key, 0])))

test('a route takes what its fields can hold; malformed bodies of an address do not refuse its password', async () => {
  const send = (path: string, body: string) =>
    (path === '/api/v1/events' ? api : anonymous).call('POST', path, {
      headers: { 'content-type': 'application/json' },
      body,
    })
  const signIns = ['auth/admin/login', 'auth/gallery/share-login', 'auth/gallery/verify', 'customer/auth/login']
  for (const path of ['v1/events', ...signIns].map((name) => `/api/${name}`)) {
    expectProblem(await send(path, keys(100_000)), 413, 'BODY_TOO_LARGE')
    expectProblem(await send(path, keys(1_000)), 400, 'VALIDATION_ERROR')
    expectProblem(await send(path, '{'), 400, 'INVALID_JSON')
  }
  for (let count = 0; count < 60; count++) await send('/api/auth/admin/login', '{')
  const signIn = await anonymous.post('/api/auth/admin/login', { username: 'admin', password: adminPassword })
  expect(signIn.status).toBe(200)
})

test('routes without a session of an account take at most 64 KB, and 256 KB of ids', async () => {
  const routes = await listOpenWrites(service)
  expect(routes.length).toBeGreaterThan(20)
  const limits = routes.filter(({ consumes }) => consumes === '').map(({ bodyLimit }) => bodyLimit)
  expect(Math.min(...limits)).toBeGreaterThan(0)
  const large = routes.filter(({ bodyLimit }) => bodyLimit > 64 * 2 ** 10)
  expect(large.map(({ url }) => url)).toEqual(['/api/gallery/:slug/download-selected'])
  expect(Math.max(...limits)).toBeLessThanOrEqual(256 * 2 ** 10)
})
