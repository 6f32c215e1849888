import { describe, expect, test } from 'vitest'
import type { Passwords } from '../../../server/platform/security/passwords.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { signIn } from '../../support/fixtures/accounts.ts'
import { readClaims } from '../../support/fixtures/credentials.ts'
import {
  assignmentPath,
  createCustomer,
  enterAsCustomer,
  signInAsCustomer,
  signInCustomer,
} from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { sharedEdges } from '../../support/service/shared-edges.ts'
import {
  createMovableClock,
  serviceForTest,
  sharedService,
  type TestService,
} from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, url } = service
const minute = 60_000

const clearedCookies = (headers: Headers) =>
  headers
    .getSetCookie()
    .filter((cookie) => /expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie))
    .map((cookie) => cookie.slice(0, cookie.indexOf('=')))

describe('a customer signs in', () => {
  test('by mail address in any case, and gets a session of 24 hours, also as the cookie customer_token', async () => {
    const { id, name, email, password } = await createCustomer(admin)
    const { status, body, headers } = await signInCustomer(service, email.toUpperCase(), password)
    const customer = { id, name, email }
    expect([status, body]).toEqual([200, { token: expect.any(String), customer }])
    const { type, iat, exp } = readClaims(body.token)
    expect([type, Number(exp) - Number(iat)]).toEqual(['customer', 24 * 3600])
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toContain(`customer_token=${body.token}`)
    expect(cookie).toMatch(/httponly/i)
    expect(cookie).toMatch(/samesite=lax/i)
    const browserHeaders = { cookie: `customer_token=${body.token}` }
    expect((await anonymous.get('/api/customer/events', browserHeaders)).status).toBe(200)
    for (const session of [
      await anonymous.get('/api/customer/auth/session', browserHeaders),
      await createClient(url, body.token).get('/api/customer/auth/session'),
    ]) {
      expect(session.body).toEqual({ valid: true, customer })
    }
    const { customers } = (await admin.get('/api/admin/customers?limit=100')).body
    expect(customers.find((one: { id: number }) => one.id === id).last_login_at).toEqual(expect.any(String))
  })

  test('a wrong password and an unknown address return the same 401', async () => {
    const { email } = await createCustomer(admin)
    const wrong = await signInCustomer(service, email, 'not the password')
    const unknown = await signInCustomer(service, 'nobody@example.com', 'not the password')
    for (const answer of [wrong, unknown]) {
      expectProblem(answer, 401, 'INVALID_CREDENTIALS')
      expect(answer.headers.get('www-authenticate')).toBeNull()
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(unknown.body).toEqual(wrong.body)
    expectInvalidField(await anonymous.post('/api/customer/auth/login', { email }), 'password')
  })
})

describe('failed sign-ins', () => {
  const failSignIn = (testService: TestService, email: string) => signInCustomer(testService, email, 'wrong')

  test('lock the account for 30 minutes after five; unknown addresses lock alike, and take as long', async () => {
    const clock = createMovableClock()
    const verified: Array<string | null> = []
    const shared = sharedEdges.passwords as Passwords
    const passwords: Passwords = {
      ...shared,
      isCorrect: (storedHash, tried) => {
        verified.push(storedHash)
        return shared.isCorrect(storedHash, tried)
      },
    }
    const timed = await serviceForTest({ edges: { clock, passwords } })
    const { email, password } = await createCustomer(timed.admin)
    verified.length = 0
    for (const address of [email, 'nobody@example.com']) {
      for (let attempt = 0; attempt < 5; attempt++) {
        const written = attempt % 2 ? address : address.toUpperCase()
        expectProblem(await failSignIn(timed, written), 401, 'INVALID_CREDENTIALS')
      }
      expectProblem(await failSignIn(timed, address), 423, 'ACCOUNT_LOCKED')
    }
    // Without a stored hash, the service verifies a dummy hash.
    expect(verified.slice(0, 5)).toEqual(Array(5).fill(expect.any(String)))
    expect(verified.slice(-5)).toEqual(Array(5).fill(null))
    const locked = await signInCustomer(timed, email, password)
    expectProblem(locked, 423, 'ACCOUNT_LOCKED')
    expect(locked.headers.get('retry-after')).toBe(String(locked.body.retryAfter))
    clock.advance(30 * minute + 5_000)
    expect((await signInCustomer(timed, email, password)).status).toBe(200)
  })

  test('of a customer do not lock an operator of the same mail address, who has another password', async () => {
    const { email, password } = await createCustomer(admin)
    const operator = { username: email, email, role: 'viewer', password: 'the operator’s own' }
    expect((await admin.post('/api/admin/users', operator)).status).toBe(201)
    expect((await signIn(service, email, password)).status).toBe(401)
    expect((await signInCustomer(service, email, operator.password)).status).toBe(401)
    for (let attempt = 1; attempt < 5; attempt++) await failSignIn(service, email)
    expectProblem(await signInCustomer(service, email, password), 423, 'ACCOUNT_LOCKED')
    expect((await signIn(service, email, operator.password)).status).toBe(200)
  })

  test('return 429 after 20 in 15 minutes from one address; a right password still works', async () => {
    const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
    const { email, password } = await createCustomer(limited.admin)
    for (let index = 0; index < 20; index++) {
      expectProblem(await failSignIn(limited, `stranger-${index}@example.com`), 401, 'INVALID_CREDENTIALS')
    }
    expectProblem(await failSignIn(limited, 'stranger@example.com'), 429, 'RATE_LIMITED')
    const { status, body } = await signInCustomer(limited, email, password)
    expect(status).toBe(200)

    // Requests of a customer do not count against the limit of the address.
    for (let done = 0; done < 620; done += 20)
      await Promise.all(Array.from({ length: 20 }, () => limited.anonymous.get('/api/public/settings')))
    expectProblem(await limited.anonymous.get('/api/customer/auth/session'), 429, 'RATE_LIMITED')
    const cookie = `customer_token=${body.token}`
    expect((await createClient(limited.url, body.token).get('/api/customer/events')).status).toBe(200)
    expect((await limited.anonymous.get('/api/customer/events', { cookie })).status).toBe(200)
    expectProblem(await limited.anonymous.get('/api/public/settings', { cookie }), 429, 'RATE_LIMITED')
  })
})

describe('a customer signs out', () => {
  const path = '/api/customer/auth/logout'

  test('by header or by cookie; the session is revoked and the cookie cleared', async () => {
    const customer = await createCustomer(admin)
    const byHeader = await signInAsCustomer(service, customer)
    expect((await byHeader.get('/api/customer/events')).status).toBe(200)
    expect((await byHeader.post(path, {})).status).toBe(200)
    expectProblem(await byHeader.get('/api/customer/events'), 401, 'TOKEN_REVOKED')
    for (const client of [anonymous, createClient(url, 'garbage')])
      expect((await client.post(path, {})).status).toBe(200)

    const cookie = `customer_token=${(await signInAsCustomer(service, customer)).token}`
    const answer = await anonymous.post(path, {}, { cookie })
    expect(answer.status).toBe(200)
    expect(clearedCookies(answer.headers)).toContain('customer_token')
    expectProblem(await anonymous.get('/api/customer/events', { cookie }), 401, 'TOKEN_REVOKED')
  })

  test('leaves only the galleries that the customer entered in this browser', async () => {
    const customer = await createCustomer(admin)
    const client = await signInAsCustomer(service, customer)
    const [own, other] = [await createEvent(service.api), await createEvent(service.api)]
    await admin.put(assignmentPath(customer, own), {})
    const galleryClient = await enterAsCustomer(service, client, own.slug)
    const guest = await enterAsGuest(service, other)
    const cookie = `customer_token=${client.token}; gallery_${own.id}=${galleryClient.token}; gallery_${other.id}=${guest.token}`
    const answer = await anonymous.post(path, {}, { cookie })
    expect(clearedCookies(answer.headers).sort()).toEqual(['customer_token', `gallery_${own.id}`])
    expectProblem(await galleryClient.get(`/api/gallery/${own.slug}/photos`), 401, 'TOKEN_REVOKED')
    expect((await guest.get(`/api/gallery/${other.slug}/photos`)).status).toBe(200)
  })
})
