import { describe, expect, test } from 'vitest'
import { createUser } from '../../../server/access/accounts.ts'
import { adminRoutes, apiTokenRoutes, createPath, customerRoutes, galleryRoutes } from '../../support/access/routes.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import {
  assignmentPath,
  createCustomer,
  enterAsCustomer,
  signInAsCustomer,
  signInCustomer,
} from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
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
  test('by mail address in any case, and gets the own record', async () => {
    const { id, name, email, password } = await createCustomer(admin)
    const { status, body } = await signInCustomer(service, email.toUpperCase(), password)
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.any(String), customer: { id, name, email } })
    const session = await createClient(url, body.token).get('/api/customer/auth/session')
    expect(session.body).toEqual({ valid: true, customer: { id, name, email } })
    const { customers } = (await admin.get('/api/admin/customers?limit=100')).body
    expect(customers.find((one: { id: number }) => one.id === id).last_login_at).toEqual(expect.any(String))
  })

  test('with a JWT of the type customer that lasts 24 hours, also as the cookie customer_token', async () => {
    const { email, password } = await createCustomer(admin)
    const { body, headers } = await signInCustomer(service, email, password)
    const claims = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString())
    expect(claims.type).toBe('customer')
    expect(claims.exp - claims.iat).toBe(24 * 3600)
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toContain(`customer_token=${body.token}`)
    expect(cookie).toMatch(/httponly/i)
    expect(cookie).toMatch(/samesite=lax/i)
    const browserHeaders = { cookie: `customer_token=${body.token}` }
    expect((await anonymous.get('/api/customer/events', browserHeaders)).status).toBe(200)
    expect((await anonymous.get('/api/customer/auth/session', browserHeaders)).body.valid).toBe(true)
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
  })

  test('a malformed sign-in returns 400', async () => {
    expectInvalidField(await anonymous.post('/api/customer/auth/login', { email: 'a@example.com' }), 'password')
  })

  test('an operator is no customer, and a customer no operator', async () => {
    const { email, password } = await createCustomer(admin)
    const account = await createAccount(service, 'admin')
    expect((await signIn(service, email, password)).status).toBe(401)
    expect((await signInCustomer(service, account.email, account.password)).status).toBe(401)
  })
})

describe('failed sign-ins', () => {
  const failSignIn = (testService: TestService, email: string) => signInCustomer(testService, email, 'wrong')

  test('lock the account for 30 minutes after five, also unknown addresses', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const { email, password } = await createCustomer(timed.admin)
    for (const address of [email, 'nobody@example.com']) {
      for (let attempt = 0; attempt < 5; attempt++) {
        expectProblem(
          await failSignIn(timed, attempt % 2 ? address : address.toUpperCase()),
          401,
          'INVALID_CREDENTIALS',
        )
      }
      expectProblem(await failSignIn(timed, address), 423, 'ACCOUNT_LOCKED')
    }
    const locked = await signInCustomer(timed, email, password)
    expectProblem(locked, 423, 'ACCOUNT_LOCKED')
    expect(locked.headers.get('retry-after')).toBe(String(locked.body.retryAfter))
    clock.advance(30 * minute + 5_000)
    expect((await signInCustomer(timed, email, password)).status).toBe(200)
  })

  test('of a customer do not lock an operator of the same mail address', async () => {
    const { email, password } = await createCustomer(admin)
    const operator = { username: email, email, role: 'viewer' as const, password: 'the operator’s own' }
    await withAppContext(service, (ctx) => createUser(ctx, { ...operator, mustChangePassword: false }))
    for (let attempt = 0; attempt < 5; attempt++) await failSignIn(service, email)
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
    expect((await signInCustomer(limited, email, password)).status).toBe(200)
  })

  test('take equally long for unknown addresses', async () => {
    const cpuTimes = { known: [] as number[], unknown: [] as number[] }
    for (let index = 0; index < 12; index++) {
      const { email } = await createCustomer(admin)
      for (const [kind, address] of [
        ['known', email],
        ['unknown', `unknown-${index}@example.com`],
      ] as const) {
        const before = process.cpuUsage()
        await failSignIn(service, address)
        const { user, system } = process.cpuUsage(before)
        cpuTimes[kind].push(user + system)
      }
    }
    const median = (values: number[]) => [...values].sort((a, b) => a - b)[6] as number
    const ratio = median(cpuTimes.known) / median(cpuTimes.unknown)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
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

  test('returns 200 without a token, and with one of another type, which stays valid', async () => {
    const account = await createAccount(service, 'viewer')
    for (const client of [anonymous, createClient(url, 'garbage'), account.admin]) {
      expect((await client.post(path, {})).status).toBe(200)
    }
    expect((await account.admin.get('/api/admin/events')).status).toBe(200)
  })

  test('returns 500 and still clears the cookie when the revocation cannot be stored', async () => {
    const broken = await serviceForTest()
    const client = await signInAsCustomer(broken, await createCustomer(broken.admin))
    await changeDatabase(broken, (stored) => stored.exec('drop table revoked_sessions'))
    const answer = await broken.anonymous.post(path, {}, { cookie: `customer_token=${client.token}` })
    expectProblem(answer, 500, 'INTERNAL_ERROR')
    expect(clearedCookies(answer.headers)).toContain('customer_token')
  })
})

describe('customer is a separate token type', async () => {
  const event = await createEvent(service.api)
  const customer = await createCustomer(admin)
  await admin.put(assignmentPath(customer, event), {})
  const client = await signInAsCustomer(service, customer)
  const galleryClient = await enterAsCustomer(service, client, event.slug)
  const guest = await enterAsGuest(service, event)

  const callRoute = (caller: TestClient, route: string, headers: Record<string, string> = {}) => {
    const [method = '', pattern = ''] = route.split(' ')
    return caller.call(method, createPath(pattern.replace(':slug', event.slug)), { headers })
  }

  test.each(customerRoutes)('%s accepts no admin, gallery or API token, and names its type', async (route) => {
    for (const other of [admin, guest, galleryClient, service.api]) {
      const answer = await callRoute(other, route)
      expectProblem(answer, 401, 'INVALID_TOKEN')
      expect(answer.body.error).toMatch(/customer/)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    const cookie = `admin_token=${admin.token}; gallery_${event.id}=${guest.token}`
    expectProblem(await callRoute(anonymous, route, { cookie }), 401, 'NO_TOKEN')
  })

  test.each([...adminRoutes, ...apiTokenRoutes].map(({ route }) => route).concat(galleryRoutes))(
    'a customer token returns 401 on %s',
    async (route) => {
      expectProblem(await callRoute(client, route), 401, 'INVALID_TOKEN')
      expectProblem(await callRoute(anonymous, route, { cookie: `customer_token=${client.token}` }), 401, 'NO_TOKEN')
    },
  )

  test('requests of a customer do not count against the limit of the address', async () => {
    const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
    const customerClient = await signInAsCustomer(limited, await createCustomer(limited.admin))
    for (let done = 0; done < 620; done += 20) {
      await Promise.all(Array.from({ length: 20 }, () => limited.anonymous.get('/api/public/settings')))
    }
    expectProblem(await limited.anonymous.get('/api/customer/auth/session'), 429, 'RATE_LIMITED')
    const cookie = `customer_token=${customerClient.token}`
    expect((await customerClient.get('/api/customer/events')).status).toBe(200)
    expect((await limited.anonymous.get('/api/customer/events', { cookie })).status).toBe(200)
    expectProblem(await limited.anonymous.get('/api/public/settings', { cookie }), 429, 'RATE_LIMITED')
  })
})

test('a write by cookie from another page returns 403 CROSS_ORIGIN', async () => {
  const event = await createEvent(service.api)
  const customer = await createCustomer(admin)
  await admin.put(assignmentPath(customer, event), {})
  const client = await signInAsCustomer(service, customer)
  const headers = { cookie: `customer_token=${client.token}`, 'sec-fetch-site': 'cross-site' }
  for (const path of [`/api/customer/events/${event.slug}/access-token`, '/api/customer/auth/logout']) {
    expectProblem(await anonymous.post(path, {}, headers), 403, 'CROSS_ORIGIN')
  }
  expect((await client.get('/api/customer/events')).status).toBe(200)
})
