import { describe, expect, test } from 'vitest'
import { isSessionEnded, pruneRevocations } from '../../../server/access/revocations.ts'
import type { SessionClaims } from '../../../server/access/session-tokens.ts'
import { days } from '../../../server/platform/clock.ts'
import { listClearedCookies } from '../../support/clients/cookies.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { makeWritesFail } from '../../support/database/failing-writes.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { forgeToken, jwtSecret, readClaims } from '../../support/fixtures/credentials.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { createSignIn, refresh } from '../../support/fixtures/sign-ins.ts'
import {
  adminPassword,
  createMovableClock,
  serviceForFile,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'

const service = await serviceForFile({ environment: { JWT_SECRET: jwtSecret } })
const { anonymous, url } = service

const newSession = async (to = service) => (await signIn(to, 'admin', adminPassword)).body.token as string

const rejectRevocations = (broken: TestService, table = 'revoked_sessions', event = 'insert') =>
  makeWritesFail(broken, `${event} on ${table}`)

describe.each(['/api/auth/logout', '/api/admin/auth/logout'])('POST %s', (path) => {
  test('revokes the session of the header, cached or not', async () => {
    const client = createClient(url, await newSession())
    expect((await client.get('/api/admin/events')).status).toBe(200)
    expect((await client.post(path, {})).status).toBe(200)
    const answer = await client.get('/api/admin/events')
    expectProblem(answer, 401, 'TOKEN_REVOKED')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  test('revokes the session of the cookie and clears it', async () => {
    const cookie = `admin_token=${await newSession()}`
    const answer = await anonymous.post(path, {}, { cookie })
    expect(answer.status).toBe(200)
    expect(listClearedCookies(answer.headers)).toEqual(['admin_refresh /api/auth/refresh', 'admin_token /'])
    expectProblem(await anonymous.get('/api/admin/events', { cookie }), 401, 'TOKEN_REVOKED')
  })

  test.each(['{"refresh_token":5}', '{"refresh_token":""}', '{', '[]', 'null', '\u0000', 'leave'])(
    'revokes the session with any body, such as %j',
    async (body) => {
      const client = createClient(url, await newSession())
      for (const type of ['application/json', 'text/plain']) {
        const { status } = await client.call('POST', path, { body, headers: { 'content-type': type } })
        expect(status).toBe(200)
      }
      expectProblem(await client.get('/api/admin/events'), 401, 'TOKEN_REVOKED')
    },
  )

  test('keeps other sessions of the account', async () => {
    const other = createClient(url, await newSession())
    await createClient(url, await newSession()).post(path, {})
    expect((await other.get('/api/admin/events')).status).toBe(200)
  })

  test('returns 200 without a token and with an invalid, expired or revoked one', async () => {
    const revoked = createClient(url, await newSession())
    await revoked.post(path, {})
    for (const client of [anonymous, createClient(url, 'garbage'), createClient(url, service.api.token), revoked]) {
      expect((await client.post(path, {})).status).toBe(200)
    }
    expect((await anonymous.post(path, {}, { cookie: 'admin_token=garbage' })).status).toBe(200)
    expect((await service.api.get('/api/v1/events')).status).toBe(200)
  })

  test.each([
    ['the record of the session', 'revoked_sessions', 'insert'],
    ['the end of the refresh family', 'refresh_families', 'delete'],
  ])('returns 500 and still clears both cookies if the database rejects %s', async (_name, table, event) => {
    const broken = await serviceForTest()
    const { token, refreshToken, admin } = await createSignIn(broken)
    await rejectRevocations(broken, table, event)
    for (const body of [{}, { refresh_token: refreshToken }]) {
      const answer = await broken.anonymous.post(path, body, { cookie: `admin_token=${token}` })
      expectProblem(answer, 500, 'INTERNAL_ERROR')
      expect(listClearedCookies(answer.headers)).toEqual(['admin_refresh /api/auth/refresh', 'admin_token /'])
    }
    // Session and refresh token are revoked together or not at all.
    expect((await admin.get('/api/admin/events')).status).toBe(200)
    expect((await refresh(broken, refreshToken)).status).toBe(200)
  })

  test('returns 500 also if the database rejects everything', async () => {
    const broken = await serviceForTest()
    const cookie = `admin_token=${await newSession(broken)}`
    await changeDatabase(broken, (stored) => stored.exec('drop table revoked_sessions; drop table refresh_families'))
    const answer = await broken.anonymous.post(path, {}, { cookie })
    expectProblem(answer, 500, 'INTERNAL_ERROR')
    expect(listClearedCookies(answer.headers)).toEqual(['admin_refresh /api/auth/refresh', 'admin_token /'])
  })
})

describe('a signed session without an expiry', () => {
  const withoutExpiry = (token: string | undefined, more: object = {}) =>
    forgeToken({ ...readClaims(token), exp: undefined, ...more })

  test('is accepted until it signs out, and its record is never deleted', async () => {
    const clock = createMovableClock()
    const event = await createEvent(service.api)
    const { admin: customers } = await createAccount(service, 'admin')
    const customer = await createCustomer(customers)
    const tokens = {
      '/api/auth/logout': [withoutExpiry(await newSession()), '/api/admin/events'],
      '/api/admin/auth/logout': [withoutExpiry(await newSession(), { fam: undefined }), '/api/admin/events'],
      '/api/auth/gallery/logout': [
        withoutExpiry((await enterAsGuest(service, event)).token),
        `/api/gallery/${event.slug}/photos`,
      ],
      '/api/customer/auth/logout': [
        withoutExpiry((await signInAsCustomer(service, customer)).token),
        '/api/customer/events',
      ],
    } as const
    for (const [logout, [token, path]] of Object.entries(tokens)) {
      const client = createClient(url, token)
      expect((await client.get(path)).status).toBe(200)
      expect((await client.post(logout, {})).status).toBe(200)
      expectProblem(await client.get(path), 401, 'TOKEN_REVOKED')
    }
    const ended = createClient(url, await newSession())
    await ended.post('/api/auth/logout', {})

    clock.advance(days(365 * 100))
    const count = () =>
      readDatabase(service, (stored) => stored.prepare('select count(*) from revoked_sessions').pluck().get())
    const before = Number(count())
    await withAppContext(service, (ctx) => pruneRevocations({ ...ctx, clock }))
    expect(count()).toBe(4)
    expect(before).toBeGreaterThan(4)
    for (const [token, path] of Object.values(tokens)) {
      await expect.poll(async () => (await createClient(url, token).get(path)).body.code).toBe('TOKEN_REVOKED')
    }
  })
})

describe('a revoked token', () => {
  test('is rejected in another spelling of its signature', async () => {
    const token = await newSession()
    await createClient(url, token).post('/api/auth/logout', {})
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spellings = [...alphabet].map((last) => token.slice(0, -1) + last)
    for (const spelling of [...spellings, `${token}=`, `${token}==`, `${token}.`]) {
      expect((await createClient(url, spelling).get('/api/admin/events')).status).toBe(401)
    }
  })

  test('stays revoked in another process and after a restart: the record is in the database', async () => {
    const token = await newSession()
    await createClient(url, token).post('/api/auth/logout', {})
    const [ended, open] = await withAppContext(service, async ({ db }) =>
      Promise.all([token, await newSession()].map((one) => isSessionEnded(db, one, readClaims(one) as SessionClaims))),
    )
    expect([ended, open]).toEqual([true, false])
    const rows = readDatabase(service, (stored) => stored.prepare('select * from revoked_sessions').all())
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('guests sign out', () => {
  test('by header, from every route, including cached pictures', async () => {
    const event = await createEvent(service.api)
    const [photoId] = await uploadPhotos(service.api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    const routes = [`thumbnail/${photoId}`, `photo/${photoId}`, `download/${photoId}`, 'photos', 'session', 'guest']
    const paths = routes.map((route) => `/api/gallery/${event.slug}/${route}`)
    for (const path of [...paths, ...paths]) expect((await guest.get(path)).status).toBe(200)
    expect((await guest.post('/api/auth/gallery/logout', {})).status).toBe(200)
    for (const path of paths) expectProblem(await guest.get(path), 401, 'TOKEN_REVOKED')
    expectProblem(await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë' }), 401, 'TOKEN_REVOKED')
  })

  test('by header and cookie at once, and both are revoked', async () => {
    const event = await createEvent(service.api)
    const [guest, other] = [await enterAsGuest(service, event), await enterAsGuest(service, event)]
    const cookie = `gallery_${event.id}=${other.token}`
    await guest.call('POST', '/api/auth/gallery/logout', { headers: { cookie } })
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 401, 'TOKEN_REVOKED')
    expectProblem(await other.get(`/api/gallery/${event.slug}/photos`), 401, 'TOKEN_REVOKED')
  })

  test('by cookie, which is cleared', async () => {
    const event = await createEvent(service.api)
    const guest = await enterAsGuest(service, event)
    const cookie = `gallery_${event.id}=${guest.token}`
    expect((await anonymous.get(`/api/gallery/${event.slug}/photos`, { cookie })).status).toBe(200)
    const left = await anonymous.post('/api/auth/gallery/logout', {}, { cookie })
    expect(left.status).toBe(200)
    expect(listClearedCookies(left.headers)).toEqual([`gallery_${event.id} /`])
    expectProblem(await anonymous.get(`/api/gallery/${event.slug}/photos`, { cookie }), 401, 'TOKEN_REVOKED')
  })

  test('also without a token', async () => {
    expect((await anonymous.post('/api/auth/gallery/logout', {})).status).toBe(200)
    expect((await createClient(url, 'garbage').post('/api/auth/gallery/logout', {})).status).toBe(200)
  })

  test('with 500 and cleared cookies when the revocation cannot be stored', async () => {
    const broken = await serviceForTest()
    const event = await createEvent(broken.api)
    const guest = await enterAsGuest(broken, event)
    await rejectRevocations(broken)
    const cookie = `gallery_${event.id}=${guest.token}; guest_${event.id}=x`
    const answer = await broken.anonymous.post('/api/auth/gallery/logout', {}, { cookie })
    expectProblem(answer, 500, 'INTERNAL_ERROR')
    expect(listClearedCookies(answer.headers)).toEqual([`gallery_${event.id} /`, `guest_${event.id} /`])
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
  })
})

describe('a customer who signs out', () => {
  async function createCustomerSession(target: TestService) {
    const event = await createEvent(target.api)
    const customer = await createCustomer(target.admin)
    await target.admin.put(assignmentPath(customer, event), {})
    const client = await signInAsCustomer(target, customer)
    const guest = await enterAsCustomer(target, client, event.slug)
    const cookies = { customer_token: client.token, [`gallery_${event.id}`]: guest.token }
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    return { event, client, guest, cookie, cleared: ['customer_token /', `gallery_${event.id} /`] }
  }

  test('also leaves the galleries of this browser', async () => {
    const { event, client, guest, cookie, cleared } = await createCustomerSession(service)
    const answer = await anonymous.post('/api/customer/auth/logout', {}, { cookie })
    expect(answer.status).toBe(200)
    expect(listClearedCookies(answer.headers).sort()).toEqual(cleared.sort())
    expectProblem(await client.get('/api/customer/events'), 401, 'TOKEN_REVOKED')
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 401, 'TOKEN_REVOKED')
  })

  test.each([
    ['refuses the revocation', (broken: TestService) => rejectRevocations(broken)],
    [
      'refuses everything',
      (broken: TestService) => changeDatabase(broken, (stored) => stored.exec('drop table revoked_sessions')),
    ],
  ])('gets 500 with all cookies cleared if the database %s', async (_name, breakDatabase) => {
    const broken = await serviceForTest()
    const { cookie, cleared } = await createCustomerSession(broken)
    await breakDatabase(broken)
    const answer = await broken.anonymous.post('/api/customer/auth/logout', {}, { cookie })
    expectProblem(answer, 500, 'INTERNAL_ERROR')
    expect(listClearedCookies(answer.headers)).toEqual(cleared)
  })
})

test('a guest token cannot be revoked as an admin session, nor the reverse', async () => {
  const { admin } = await createAccount(service, 'admin')
  await admin.post('/api/auth/gallery/logout', {})
  expect((await admin.get('/api/admin/events')).status).toBe(200)
  const event = await createEvent(service.api)
  const guest = await enterAsGuest(service, event)
  await guest.post('/api/auth/logout', {})
  expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
})
