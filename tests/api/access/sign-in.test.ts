import { describe, expect, test } from 'vitest'
import { parseSetCookies } from '../../support/clients/cookies.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createAccount, signIn } from '../../support/fixtures/accounts.ts'
import { adminPassword, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { anonymous } = service

describe('admin sign-in', () => {
  test('returns token and user', async () => {
    const { status, body } = await signIn(service, 'admin', adminPassword)
    expect(status).toBe(200)
    expect(body.user).toEqual({
      id: expect.any(Number),
      username: 'admin',
      email: 'admin@localhost',
      mustChangePassword: false,
    })
    expect((await createClient(service.url, body.token).get('/api/admin/events')).status).toBe(200)
  })

  test('the token is a JWT of the type admin that expires after 24 hours', async () => {
    const { body } = await signIn(service, 'admin', adminPassword)
    const claims = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString())
    expect(claims.type).toBe('admin')
    expect(claims.exp - claims.iat).toBe(24 * 3600)
  })

  test('sets admin_token, HttpOnly and SameSite=Lax, not Secure over plain http', async () => {
    const { headers, body } = await signIn(service, 'admin', adminPassword)
    const cookie = parseSetCookies(headers).get('admin_token')
    expect(cookie?.value).toBe(body.token)
    expect(cookie?.attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=lax', 'path=/']))
    expect(cookie?.attributes).not.toContain('secure')
    const opened = await anonymous.get('/api/admin/events', { cookie: `admin_token=${body.token}` })
    expect(opened.status).toBe(200)
  })

  test('the cookie is Secure if PUBLIC_URL is https', async () => {
    const secured = await serviceForTest({ environment: { PUBLIC_URL: 'https://photos.example' } })
    const { headers } = await signIn(secured, 'admin', adminPassword)
    expect(parseSetCookies(headers).get('admin_token')?.attributes).toContain('secure')
  })

  test('accepts the mail address as well, and ignores case', async () => {
    expect((await signIn(service, 'admin@localhost', adminPassword)).status).toBe(200)
    expect((await signIn(service, 'Admin@LocalHost', adminPassword)).status).toBe(200)
    expect((await signIn(service, 'ADMIN', adminPassword)).status).toBe(200)
  })

  test.each(['', null, undefined, 'anything'])('allows the recaptchaToken %j while reCAPTCHA is off', async (token) => {
    const login = { username: 'admin', password: adminPassword, recaptchaToken: token }
    expect((await anonymous.post('/api/auth/admin/login', login)).status).toBe(200)
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
  })

  test('a malformed sign-in is 400', async () => {
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { username: 'admin' }), 'password')
    expectInvalidField(await anonymous.post('/api/auth/admin/login', { password: adminPassword }), 'username')
  })

  test('the session returns who is signed in', async () => {
    const { body } = await service.admin.get('/api/auth/session')
    expect(body).toMatchObject({ valid: true, user: { username: 'admin' } })
    expect((await anonymous.get('/api/auth/session')).body).toMatchObject({ valid: false })
    expect((await createClient(service.url, 'garbage').get('/api/auth/session')).body).toMatchObject({ valid: false })
  })

  test('never returns a password or a hash', async () => {
    const account = await createAccount(service, 'admin')
    const login = await signIn(service, account.username, account.password)
    const texts = [login.bytes.toString(), (await account.admin.get('/api/auth/session')).bytes.toString()]
    for (const text of texts) expect(text).not.toMatch(/argon2|hash|session_version|password of/)
  })
})

describe('changing the password', () => {
  const newPassword = 'a new and longer one'

  test('ends all older sessions and returns a new one', async () => {
    const account = await createAccount(service, 'admin')
    const older = await signIn(service, account.username, account.password)
    const changed = await account.admin.post('/api/admin/auth/change-password', {
      currentPassword: account.password,
      newPassword,
    })
    expect(changed.status).toBe(200)
    for (const token of [account.admin.token, older.body.token]) {
      expectProblem(await createClient(service.url, token).get('/api/admin/events'), 401, 'TOKEN_REVOKED')
    }
    expect((await createClient(service.url, changed.body.token).get('/api/admin/events')).status).toBe(200)
    expect((await signIn(service, account.username, account.password)).status).toBe(401)
    expect((await signIn(service, account.username, newPassword)).status).toBe(200)
  })

  test('requires the current password', async () => {
    const { admin } = await createAccount(service, 'viewer')
    const wrong = await admin.post('/api/admin/auth/change-password', { currentPassword: 'wrong', newPassword })
    expectProblem(wrong, 401, 'INVALID_CREDENTIALS')
    expect((await admin.get('/api/admin/events')).status).toBe(200)
  })

  test('requires a password that differs from the current one', async () => {
    const { admin, password } = await createAccount(service, 'viewer', { mustChangePassword: true })
    const change = { currentPassword: password, newPassword: password }
    expectInvalidField(await admin.post('/api/admin/auth/change-password', change), 'newPassword')
    expectProblem(await admin.get('/api/admin/events'), 403, 'MUST_CHANGE_PASSWORD')
  })

  test('requires at least 12 characters', async () => {
    const { admin, password } = await createAccount(service, 'viewer')
    const change = { currentPassword: password, newPassword: '11 letters.' }
    expectInvalidField(await admin.post('/api/admin/auth/change-password', change), 'newPassword')
  })
})
