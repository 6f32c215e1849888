import { describe, expect, test, vi } from 'vitest'
import { parseSetCookies } from '../../support/clients/cookies.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { readClaims } from '../../support/fixtures/credentials.ts'
import { createAccountWithFactor, passFirstStep, sendSecondStep } from '../../support/fixtures/second-factor.ts'
import { createSignIn, refresh, renewSignIn } from '../../support/fixtures/sign-ins.ts'
import { adminPassword, serviceForTest, sharedService, type TestService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { anonymous, url } = service
const newPassword = 'a new and longer one'

const changeAccount = ({ id }: { id: number }, values: { must_change_password?: 1; is_active?: 0 }) =>
  withAppContext(service, ({ db }) => db.updateTable('users').set(values).where('id', '=', id).execute())

const readCookies = async (to: TestService) => {
  const cookies = parseSetCookies((await signIn(to, 'admin', adminPassword)).headers)
  return ['admin_token', 'admin_refresh'].map((name) => cookies.get(name))
}

describe('admin sign-in', () => {
  test('returns a JWT of the type admin for 24 hours, one of the type refresh for 30 days, and the user', async () => {
    const { status, body } = await signIn(service, 'admin', adminPassword)
    expect(status).toBe(200)
    const user = { id: expect.any(Number), username: 'admin', email: 'admin@localhost', mustChangePassword: false }
    expect(body.user).toEqual(user)
    const lifetimes = [body.token, body.refresh_token].map((token) => {
      const { type, iat, exp } = readClaims(token)
      return [type, Number(exp) - Number(iat)]
    })
    expect(lifetimes).toEqual([
      ['admin', 24 * 3600],
      ['refresh', 30 * 24 * 3600],
    ])
    const session = await createClient(url, body.token).get('/api/auth/session')
    expect(session.body).toMatchObject({ valid: true, user: { username: 'admin' } })
    for (const client of [anonymous, createClient(url, 'garbage')]) {
      expect((await client.get('/api/auth/session')).body.valid).toBe(false)
    }
  })

  test('sets admin_token, and admin_refresh for one route, HttpOnly and SameSite=Lax, Secure on https', async () => {
    const [session, renewal] = await readCookies(service)
    expect(session?.attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=lax', 'path=/']))
    expect(session?.attributes).not.toContain('secure')
    const attributes = ['httponly', `max-age=${30 * 24 * 3600}`, 'path=/api/auth/refresh', 'samesite=lax']
    expect(renewal?.attributes.sort()).toEqual(attributes)
    const opened = await anonymous.get('/api/admin/events', { cookie: `admin_token=${session?.value}` })
    expect(opened.status).toBe(200)
    const secured = await serviceForTest({ environment: { PUBLIC_URL: 'https://photos.example' } })
    for (const cookie of await readCookies(secured)) expect(cookie?.attributes).toContain('secure')
  })

  test('accepts the mail address as well, and ignores case', async () => {
    for (const name of ['admin@localhost', 'Admin@LocalHost', 'ADMIN']) {
      expect((await signIn(service, name, adminPassword)).status, name).toBe(200)
    }
  })

  test('a wrong password and an unknown name return the same 401, without WWW-Authenticate and a cookie', async () => {
    const wrong = await signIn(service, 'admin', 'not the password')
    const unknown = await signIn(service, 'nobody', 'not the password')
    for (const answer of [wrong, unknown]) {
      expectProblem(answer, 401, 'INVALID_CREDENTIALS')
      expect(answer.headers.get('www-authenticate')).toBeNull()
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(unknown.body).toEqual(wrong.body)
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: 'admin' }), 'password')
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { password: adminPassword }), 'username')
  })

  test('never returns a password or a hash', async () => {
    const account = await createAccount(service, 'admin')
    const login = await signIn(service, account.username, account.password)
    const texts = [login.bytes.toString(), (await account.admin.get('/api/auth/session')).bytes.toString()]
    for (const text of texts) expect(text).not.toMatch(/argon2|hash|session_version|password of/)
  })

  test('after 5 failures is 423 with retryAfter, even with the correct password; parallel guesses count', async () => {
    const { username, password } = await createAccount(service, 'admin')
    const guesses = await Promise.all(Array.from({ length: 8 }, () => signIn(service, username, 'wrong')))
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(3).fill(423)])
    const locked = await signIn(service, username, password)
    expectProblem(locked, 423, 'ACCOUNT_LOCKED')
    expect(locked.body.retryAfter).toBeGreaterThan(29 * 60)
    expect(locked.body.retryAfter).toBeLessThanOrEqual(30 * 60)
    expect(locked.headers.get('retry-after')).toBe(String(locked.body.retryAfter))
    expect((await signIn(service, 'admin', adminPassword)).status).toBe(200)
  })
})

// `second-factor.full.test.ts` has the details.
test('with a second factor the password alone gives no session; a recovery code completes it once', async () => {
  const account = await createAccountWithFactor(service, Date.now())
  const complete = async () =>
    sendSecondStep(service, await passFirstStep(service, account), account.recoveryCodes[0] ?? '')
  const { body } = await complete()
  expect((await createClient(url, body.token).get('/api/admin/events')).status).toBe(200)
  expectProblem(await complete(), 401, 'INVALID_CREDENTIALS')
})

// `refresh-tokens.full.test.ts` has the details.
test('a refresh token works once; a stolen one ends for thief and owner', async () => {
  const { refreshToken: stolen } = await createSignIn(service)
  const thief = await renewSignIn(service, (await renewSignIn(service, stolen)).refreshToken)
  expect((await thief.admin.get('/api/admin/events')).status).toBe(200)
  expectProblem(await refresh(service, stolen), 401, 'TOKEN_REVOKED')
  expectProblem(await refresh(service, thief.refreshToken), 401, 'TOKEN_REVOKED')
  expectProblem(await thief.admin.get('/api/admin/events'), 401, 'TOKEN_REVOKED')
})

describe('changing the password', () => {
  test('ends all older sessions and returns a new one', async () => {
    const account = await createAccount(service, 'admin')
    const older = await signIn(service, account.username, account.password)
    const change = { currentPassword: account.password, newPassword }
    const changed = await account.admin.post('/api/admin/auth/change-password', change)
    expect(changed.status).toBe(200)
    for (const token of [account.admin.token, older.body.token]) {
      expectProblem(await createClient(url, token).get('/api/admin/events'), 401, 'TOKEN_REVOKED')
    }
    expect((await createClient(url, changed.body.token).get('/api/admin/events')).status).toBe(200)
    expect((await signIn(service, account.username, account.password)).status).toBe(401)
    expect((await signIn(service, account.username, newPassword)).status).toBe(200)
  })

  test('requires the current password and another one of at least 12 characters', async () => {
    const { admin, password } = await createAccount(service, 'viewer')
    const change = (currentPassword: string, next: string) =>
      admin.post('/api/admin/auth/change-password', { currentPassword, newPassword: next })
    expectProblem(await change('wrong', newPassword), 401, 'INVALID_CREDENTIALS')
    expectInvalidField(await change(password, '11 letters.'), 'newPassword')
    expectInvalidField(await change(password, password), 'newPassword')
    expect((await admin.get('/api/admin/events')).status).toBe(200)
  })
})

// `admin-table.full.test.ts` tests that all other routes of the admin API are closed.
test('an account that must change its password first reaches only change-password and logout', async () => {
  const { username, password, admin } = await createAccount(service, 'admin', { mustChangePassword: true })
  const { body } = await signIn(service, username, password)
  expect(body.user.mustChangePassword).toBe(true)
  expectProblem(await admin.get('/api/admin/events'), 403, 'MUST_CHANGE_PASSWORD')
  expect((await createClient(url, body.token).post('/api/admin/auth/logout', {})).status).toBe(200)
  const change = { currentPassword: password, newPassword }
  const changed = await admin.post('/api/admin/auth/change-password', change)
  expect(changed.body.user.mustChangePassword).toBe(false)
  expect((await createClient(url, changed.body.token).get('/api/admin/events')).status).toBe(200)
})

test('API tokens, sessions and previews end with the access of their account', async () => {
  const account = await createAccount(service, 'admin')
  const { username, password, admin, api } = account
  const body = { event_type: 'other', event_name: 'Mine', require_password: false }
  const { slug } = (await api.post('/api/v1/events', body)).body
  const expectAll = (status: number, code: string) =>
    vi.waitFor(async () => {
      expectProblem(await api.get('/api/v1/events'), status, code)
      expectProblem(await admin.get('/api/admin/events'), status, code)
      expectProblem(await admin.get(`/api/gallery/${slug}/photos`), status, code)
    }, 60_000)
  await changeAccount(account, { must_change_password: 1 })
  await expectAll(403, 'MUST_CHANGE_PASSWORD')
  await changeAccount(account, { is_active: 0 })
  await expectAll(401, 'OWNER_INACTIVE')
  expect((await signIn(service, username, password)).status).toBe(401)
})
