import { describe, expect, test } from 'vitest'
import { isSessionEnded, pruneRevocations } from '../../../server/access/revocations.ts'
import type { SessionClaims } from '../../../server/access/session-tokens.ts'
import { days } from '../../../server/platform/time/clock.ts'
import { listClearedCookies } from '../../support/clients/cookies.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { makeWritesFail } from '../../support/database/failing-writes.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { signIn, withAppContext } from '../../support/fixtures/accounts.ts'
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
const adminPaths = ['/api/auth/logout', '/api/admin/auth/logout']
const adminCookies = ['admin_refresh /api/auth/refresh', 'admin_token /']

const newSession = async () => (await signIn(service, 'admin', adminPassword)).body.token as string

async function createCustomerSession(to: TestService) {
  const event = await createEvent(to.api)
  const customer = await createCustomer(to.admin)
  await to.admin.put(assignmentPath(customer, event), {})
  const client = await signInAsCustomer(to, customer)
  const guest = await enterAsCustomer(to, client, event.slug)
  const cookie = `customer_token=${client.token}; gallery_${event.id}=${guest.token}`
  return { client, guest, cookie, list: `/api/gallery/${event.slug}/photos`, galleryCookie: `gallery_${event.id}` }
}

describe.each(adminPaths)('POST %s', (path) => {
  test('revokes the session of the header or the cookie, and no other session of the account', async () => {
    const [byHeader, other] = [createClient(url, await newSession()), createClient(url, await newSession())]
    // The service has read the session before, and may have cached it.
    expect((await byHeader.get('/api/admin/events')).status).toBe(200)
    expect((await byHeader.post(path, {})).status).toBe(200)
    const rejected = await byHeader.get('/api/admin/events')
    expectProblem(rejected, 401, 'TOKEN_REVOKED')
    expect(rejected.headers.get('www-authenticate')).toMatch(/^Bearer/)
    const cookie = `admin_token=${await newSession()}`
    const left = await anonymous.post(path, {}, { cookie })
    expect([left.status, listClearedCookies(left.headers)]).toEqual([200, adminCookies])
    expectProblem(await anonymous.get('/api/admin/events', { cookie }), 401, 'TOKEN_REVOKED')
    expect((await other.get('/api/admin/events')).status).toBe(200)
  })

  test('returns 200 without a token, and with an invalid or revoked one or one of another family', async () => {
    const session = createClient(url, await newSession())
    const event = await createEvent(service.api)
    const guest = await enterAsGuest(service, event)
    for (const client of [session, session, anonymous, createClient(url, 'garbage'), service.api, guest]) {
      expect((await client.post(path, {})).status).toBe(200)
    }
    expect((await anonymous.post(path, {}, { cookie: 'admin_token=garbage' })).status).toBe(200)
    expect((await service.api.get('/api/v1/events')).status).toBe(200)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
  })
})

test('a sign-out revokes the session with any body', async () => {
  for (const body of ['{"refresh_token":5}', '{', 'null', 'leave']) {
    const client = createClient(url, await newSession())
    const type = body === 'leave' ? 'text/plain' : 'application/json'
    const left = await client.call('POST', '/api/auth/logout', { body, headers: { 'content-type': type } })
    expect(left.status, body).toBe(200)
    expectProblem(await client.get('/api/admin/events'), 401, 'TOKEN_REVOKED')
  }
})

test('a revocation that cannot be stored is 500, clears all cookies and revokes nothing', async () => {
  const broken = await serviceForTest()
  const { token, refreshToken, admin } = await createSignIn(broken)
  const { client, guest, cookie, list, galleryCookie } = await createCustomerSession(broken)
  const expectFailed = async (path: string, sent: string, cleared: string[]) => {
    const body = adminPaths.includes(path) ? { refresh_token: refreshToken } : {}
    const answer = await broken.anonymous.post(path, body, { cookie: sent })
    expectProblem(answer, 500, 'INTERNAL_ERROR')
    expect(listClearedCookies(answer.headers), path).toEqual(cleared)
  }
  const expectAllFailed = async () => {
    for (const path of adminPaths) await expectFailed(path, `admin_token=${token}`, adminCookies)
    const guestCookie = galleryCookie.replace('gallery', 'guest')
    const gallery = `${galleryCookie}=${guest.token}; ${guestCookie}=x`
    await expectFailed('/api/auth/gallery/logout', gallery, [`${galleryCookie} /`, `${guestCookie} /`])
    await expectFailed('/api/customer/auth/logout', cookie, ['customer_token /', `${galleryCookie} /`])
  }
  const repair = await makeWritesFail(broken, 'insert on revoked_sessions')
  await expectAllFailed()
  await repair()
  // Session and refresh token are revoked together or not at all.
  await makeWritesFail(broken, 'delete on refresh_families')
  for (const path of adminPaths) await expectFailed(path, `admin_token=${token}`, adminCookies)
  expect((await admin.get('/api/admin/events')).status).toBe(200)
  expect((await refresh(broken, refreshToken)).status).toBe(200)
  expect((await client.get('/api/customer/events')).status).toBe(200)
  expect((await guest.get(list)).status).toBe(200)
  await changeDatabase(broken, (stored) => stored.exec('drop table revoked_sessions; drop table refresh_families'))
  await expectAllFailed()
})

test('a signed session without an expiry is accepted until it signs out, and its record is never deleted', async () => {
  const withoutExpiry = (token: string | undefined, more: object = {}) =>
    createClient(url, forgeToken({ ...readClaims(token), exp: undefined, ...more }))
  const { client, guest, list } = await createCustomerSession(service)
  const sessions: Array<[logout: string, session: TestClient, path: string]> = [
    ['/api/auth/logout', withoutExpiry(await newSession()), '/api/admin/events'],
    ['/api/admin/auth/logout', withoutExpiry(await newSession(), { fam: undefined }), '/api/admin/events'],
    ['/api/auth/gallery/logout', withoutExpiry(guest.token), list],
    ['/api/customer/auth/logout', withoutExpiry(client.token), '/api/customer/events'],
  ]
  for (const [logout, session, path] of sessions) {
    expect((await session.get(path)).status).toBe(200)
    expect((await session.post(logout, {})).status).toBe(200)
    expectProblem(await session.get(path), 401, 'TOKEN_REVOKED')
  }
  await createClient(url, await newSession()).post('/api/auth/logout', {})

  const clock = createMovableClock()
  clock.advance(days(365 * 100))
  const count = () =>
    Number(readDatabase(service, (stored) => stored.prepare('select count(*) from revoked_sessions').pluck().get()))
  expect(count()).toBeGreaterThan(4)
  await withAppContext(service, (ctx) => pruneRevocations({ ...ctx, clock }))
  expect(count()).toBe(4)
  for (const [, session, path] of sessions) {
    await expect.poll(async () => (await session.get(path)).body.code).toBe('TOKEN_REVOKED')
  }
})

test('a revoked token stays revoked in another process and after a restart', async () => {
  const token = await newSession()
  await createClient(url, token).post('/api/auth/logout', {})
  const [ended, open] = await withAppContext(service, async ({ db }) =>
    Promise.all([token, await newSession()].map((one) => isSessionEnded(db, one, readClaims(one) as SessionClaims))),
  )
  expect([ended, open]).toEqual([true, false])
  const rows = readDatabase(service, (stored) => stored.prepare('select * from revoked_sessions').all())
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('guests sign out from every route, including cached pictures', async () => {
  const event = await createEvent(service.api)
  const [photoId] = await uploadPhotos(service.api, event.id, 1)
  const [guest, other] = [await enterAsGuest(service, event), await enterAsGuest(service, event)]
  const routes = [`thumbnail/${photoId}`, `photo/${photoId}`, `download/${photoId}`, 'photos', 'session', 'guest']
  const paths = routes.map((route) => `/api/gallery/${event.slug}/${route}`)
  for (const path of [...paths, ...paths]) expect((await guest.get(path)).status).toBe(200)
  // The sessions of the header and the cookie are revoked together.
  const headers = { cookie: `gallery_${event.id}=${other.token}` }
  const left = await guest.call('POST', '/api/auth/gallery/logout', { headers })
  expect([left.status, listClearedCookies(left.headers)]).toEqual([200, [`gallery_${event.id} /`]])
  for (const path of paths) expectProblem(await guest.get(path), 401, 'TOKEN_REVOKED')
  expectProblem(await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë' }), 401, 'TOKEN_REVOKED')
  expectProblem(await anonymous.get(`/api/gallery/${event.slug}/photos`, headers), 401, 'TOKEN_REVOKED')
  for (const client of [anonymous, createClient(url, 'garbage'), service.admin]) {
    expect((await client.post('/api/auth/gallery/logout', {})).status).toBe(200)
  }
  expect((await service.admin.get('/api/admin/events')).status).toBe(200)
})

test('a customer who signs out also leaves the galleries of this browser', async () => {
  const { client, guest, cookie, list, galleryCookie } = await createCustomerSession(service)
  const answer = await anonymous.post('/api/customer/auth/logout', {}, { cookie })
  expect(answer.status).toBe(200)
  expect(listClearedCookies(answer.headers).sort()).toEqual(['customer_token /', `${galleryCookie} /`].sort())
  expectProblem(await client.get('/api/customer/events'), 401, 'TOKEN_REVOKED')
  expectProblem(await guest.get(list), 401, 'TOKEN_REVOKED')
})
