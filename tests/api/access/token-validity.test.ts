import { describe, expect, test, vi } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()

const newToken = (body: Record<string, unknown>, { admin } = service) =>
  admin.post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'], ...body })

describe('API tokens', () => {
  test('a revoked token is TOKEN_REVOKED at once, although it was used before', async () => {
    const { body } = await newToken({})
    const client = createClient(service.url, body.token)
    expect((await client.get('/api/v1/events')).status).toBe(200)
    await service.admin.delete(`/api/admin/api-tokens/${body.id}`)
    expectProblem(await client.get('/api/v1/events'), 401, 'TOKEN_REVOKED')
  })

  test('an expired token is TOKEN_EXPIRED', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const expires_at = new Date(clock.now() + 60_000).toISOString()
    const { body } = await newToken({ expires_at }, timed)
    const client = createClient(timed.url, body.token)
    expect((await client.get('/api/v1/events')).status).toBe(200)
    clock.advance(60_001)
    const answer = await client.get('/api/v1/events')
    expectProblem(answer, 401, 'TOKEN_EXPIRED')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})

test('an admin session lasts 24 hours', async () => {
  const clock = createMovableClock()
  const { admin } = await serviceForTest({ edges: { clock } })
  clock.advance(24 * 3_600_000 - 10_000)
  expect((await admin.get('/api/admin/events')).status).toBe(200)
  clock.advance(20_000)
  expectProblem(await admin.get('/api/admin/events'), 401, 'TOKEN_EXPIRED')
})

describe('an account that must change its password first', () => {
  // `admin-table.full.test.ts` tests that all other routes of the admin API are closed.
  test('reaches change-password and logout', async () => {
    const { admin } = await createAccount(service, 'admin', { mustChangePassword: true })
    expectProblem(await admin.get('/api/admin/events'), 403, 'MUST_CHANGE_PASSWORD')
    expect((await admin.post('/api/admin/auth/change-password', {})).status).toBe(400)
    expect((await admin.post('/api/admin/auth/logout', {})).status).toBe(200)
  })

  test('cannot use its API tokens or previews of galleries', async () => {
    const { id, admin, api } = await createAccount(service, 'admin')
    const { body: event } = await api.post('/api/v1/events', {
      event_type: 'other',
      event_name: 'Mine',
      require_password: false,
    })
    await withAppContext(service, ({ db }) =>
      db.updateTable('users').set({ must_change_password: 1 }).where('id', '=', id).execute(),
    )
    await vi.waitFor(async () => {
      expectProblem(await api.get('/api/v1/events'), 403, 'MUST_CHANGE_PASSWORD')
      expectProblem(await admin.get(`/api/gallery/${event.slug}/photos`), 403, 'MUST_CHANGE_PASSWORD')
    }, 60_000)
  })

  test('is reported at sign-in, and has full access after the change', async () => {
    const { username, password, admin } = await createAccount(service, 'admin', { mustChangePassword: true })
    expect((await signIn(service, username, password)).body.user.mustChangePassword).toBe(true)
    const changed = await admin.post('/api/admin/auth/change-password', {
      currentPassword: password,
      newPassword: 'a much better one',
    })
    expect(changed.body.user.mustChangePassword).toBe(false)
    expect((await createClient(service.url, changed.body.token).get('/api/admin/events')).status).toBe(200)
  })
})

test('tokens, sessions and sign-in of a deactivated account end: 401 OWNER_INACTIVE', async () => {
  const { id, username, password, admin, api } = await createAccount(service, 'admin')
  await withAppContext(service, ({ db }) =>
    db.updateTable('users').set({ is_active: 0 }).where('id', '=', id).execute(),
  )
  await vi.waitFor(async () => {
    expectProblem(await api.get('/api/v1/events'), 401, 'OWNER_INACTIVE')
    expectProblem(await admin.get('/api/admin/events'), 401, 'OWNER_INACTIVE')
  }, 60_000)
  expect((await signIn(service, username, password)).status).toBe(401)
})
