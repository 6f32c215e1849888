import { describe, expect, test } from 'vitest'
import { minutes } from '../../../server/platform/time/clock.ts'
import { createPath, isAsset, listRegisteredRoutes } from '../../support/access/routes.ts'
import { expectProblem, expectRateLimited } from '../../support/clients/problems.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { adminPassword, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

/** Lower limits shorten the tests. `server/access/limits/rate-limits.test.ts` tests the default limits. */
const lowLimits = { anonymous: 30, entryFailuresOfGallery: 60, guestWrites: 20 }
const origin = 'https://app.example'
const password = 'open sesame'
let now = Date.now()
/** Stands still, so that the seconds to wait are exact. */
const clock = { now: () => now, advance: (ms: number) => (now += ms) }
const service = await serviceForFile({
  environment: { RATE_LIMIT: 'on', TRUST_PROXY: '1', CORS_ORIGINS: origin },
  edges: { clock, maxRequests: lowLimits },
})
const { admin, anonymous, api, url } = service

let addresses = 0
/** Each test sends its requests from its own address. */
const newAddress = () => `10.0.${++addresses}.1`
const from = (address: string) => ({ 'x-forwarded-for': address })
const settings = (headers: Record<string, string>) => anonymous.get('/api/public/settings', headers)
const signInFrom = (address: string, username: string, secret: string) =>
  anonymous.post('/api/auth/admin/login', { username, password: secret }, from(address))

async function repeat(times: number, call: (index: number) => Promise<TestResponse>): Promise<number[]> {
  const statuses: number[] = []
  for (let done = 0; done < times; done += 20) {
    const some = Array.from({ length: Math.min(20, times - done) }, (_, index) => call(done + index))
    statuses.push(...(await Promise.all(some)).map(({ status }) => status))
  }
  return statuses
}
const expectAll = async (status: number, times: number, call: (index: number) => Promise<TestResponse>) =>
  expect(await repeat(times, call)).toEqual(Array(times).fill(status))

const exhaustLimit = async (address = newAddress()) => {
  await repeat(lowLimits.anonymous, () => settings(from(address)))
  return address
}

describe('requests without a valid credential', () => {
  test('are counted together: open routes, 401 of every family, unknown paths', async () => {
    const headers = from(newAddress())
    const stranger = createClient(url, 'prf_live_unknown')
    const calls: Array<[status: number, call: () => Promise<TestResponse>]> = [
      [404, () => anonymous.get('/api/gallery/nothing/info', headers)],
      [401, () => anonymous.get('/api/v1/events', headers)],
      [401, () => stranger.get('/api/v1/events', headers)],
      [404, () => anonymous.get('/api/nothing/at/all', headers)],
      [401, () => api.get('/api/admin/events', headers)],
      [401, () => admin.get('/api/v1/events', headers)],
    ]
    for (const [status, call] of calls) await expectAll(status, lowLimits.anonymous / calls.length, call)
    for (const [, call] of calls) expectRateLimited(await call(), 60)
    clock.advance(minutes(1) + 1_000)
    expect((await settings(headers)).status).toBe(200)
  })

  test('have RateLimit headers; other requests have none', async () => {
    const headers = from(newAddress())
    const readUsage = (answer: TestResponse) =>
      ['limit', 'remaining', 'reset'].map((name) => answer.headers.get(`ratelimit-${name}`))
    expect(readUsage(await settings(headers))).toEqual(['30', '29', '60'])
    clock.advance(12_000)
    expect(readUsage(await anonymous.get('/api/v1/events', headers))).toEqual(['30', '28', '48'])
    expect(readUsage(await anonymous.get('/api/nowhere', headers))).toEqual(['30', '27', '48'])
    await exhaustLimit(headers['x-forwarded-for'])
    const limited = await settings(headers)
    expect([...readUsage(limited), limited.headers.get('retry-after')]).toEqual(['30', '0', '48', '48'])
    for (const path of ['/health', '/api/openapi.json']) {
      expect(readUsage(await anonymous.get(path, headers))).toEqual([null, null, null])
    }
    expect(readUsage(await api.get('/api/v1/events', headers))).toEqual([null, null, null])
  })
})

describe('from an address at its limit', () => {
  test('every route below /api is limited, except sign-in and the documentation', async () => {
    const headers = from(await exhaustLimit())
    const open: string[] = []
    for (const route of await listRegisteredRoutes(service)) {
      const [method = '', pattern = ''] = route.split(' ')
      if (!pattern.startsWith('/api/') || isAsset(route)) continue
      const answer = await anonymous.call(method, createPath(pattern), { headers })
      if (answer.status !== 429) open.push(route)
    }
    expect(open.sort()).toEqual([
      'GET /api/gallery/openapi.json',
      'GET /api/gallery/postman.json',
      'GET /api/invite/:token',
      'GET /api/openapi.json',
      'GET /api/postman.json',
      'POST /api/auth/admin/login',
      'POST /api/auth/admin/login/mfa',
      'POST /api/auth/gallery/share-login',
      'POST /api/auth/gallery/verify',
      'POST /api/customer/auth/login',
      'POST /api/invite/:token',
    ])
    expectRateLimited(await anonymous.get('/%61pi/public/settings', headers), 60)
  })

  test('pages, assets, health, preflights and the documentation are never limited', async () => {
    const { slug, share_token } = await createEvent(api)
    const headers = from(await exhaustLimit())
    const page = `/gallery/${slug}/${share_token}`
    const paths = [page, '/assets/gallery.css', '/health', '/health/live', '/api/docs/', '/api/openapi.json', '/']
    for (const path of paths) expect((await anonymous.get(path, headers)).status, path).toBe(200)
    expect((await anonymous.get('/gallery/nothing', headers)).status).toBe(404)
    await expectAll(200, 40, () => anonymous.get('/health/live', headers))
    const preflight = { ...headers, origin, 'access-control-request-method': 'POST' }
    for (const [path, status] of Object.entries({ '/api/v1/events': 204, '/api/admin/events': 405 })) {
      expect((await anonymous.call('OPTIONS', path, { headers: preflight })).status, path).toBe(status)
    }
    // Pages of other origins can read the rejection.
    const rejected = await anonymous.get('/api/v1/events', { ...headers, origin })
    expectRateLimited(rejected, 60)
    expect(rejected.headers.get('access-control-allow-origin')).toBe(origin)
  })

  test('a valid credential is never rejected and never counted', async () => {
    const address = newAddress()
    const headers = from(address)
    const event = await createEvent(api)
    const ids = await uploadPhotos(api, event.id, 2)
    const guest = await enterAsGuest(service, event)
    await expectAll(200, 40, () => api.get('/api/v1/events?limit=1', headers))
    await expectAll(200, 40, () => admin.get('/api/admin/event-types', headers))
    const picture = (index: number) =>
      `/api/gallery/${event.slug}/${['thumbnail', 'photo', 'download'][index % 3]}/${ids[index % ids.length]}`
    await expectAll(200, 40, (index) => guest.get(picture(index), headers))
    expect((await settings(headers)).status).toBe(200)
    await exhaustLimit(address)
    expectRateLimited(await settings(headers), 60)
    expect((await api.get('/api/v1/events', headers)).status).toBe(200)
    expect((await admin.get('/api/auth/session', headers)).body.valid).toBe(true)
    const cookie = `gallery_${event.id}=${guest.token}; gallery_999=nothing`
    await expectAll(200, 40, (index) => anonymous.get(picture(index), { ...headers, cookie }))
  })
})

test('the counted address is that of the client; IPv6 counts per /64, IPv4-mapped as IPv4', async () => {
  const requestStatus = async (address: string) => (await settings(from(address))).status
  const address = await exhaustLimit()
  expect(await requestStatus(`::ffff:${address}`)).toBe(429)
  expect(await requestStatus(newAddress())).toBe(200)
  await repeat(lowLimits.anonymous, (index) => settings(from(`2001:db8:1:2::${index.toString(16)}`)))
  expect(await requestStatus('2001:db8:1:2:ffff::1')).toBe(429)
  expect(await requestStatus('2001:db8:1:3::1')).toBe(200)
})

test('without TRUST_PROXY a forged header does not change the counted address', async () => {
  const direct = await serviceForTest({ environment: { RATE_LIMIT: 'on' }, edges: { maxRequests: lowLimits } })
  const get = (address: string) => direct.anonymous.get('/api/public/settings', from(address))
  await repeat(lowLimits.anonymous, (index) => get(`10.0.0.${index}`))
  expectRateLimited(await get('10.9.9.9'), 60)
})

test('RATE_LIMIT=off disables the limits; the lock of an account stays', async () => {
  const unlimited = await serviceForTest({ edges: { maxRequests: lowLimits } })
  const { slug } = await createEvent(unlimited.api)
  const { get, post } = unlimited.anonymous
  await expectAll(200, 40, () => get('/api/public/settings'))
  await expectAll(401, 80, () => post('/api/auth/gallery/share-login', { slug, token: 'wrong' }))
  const signIn = (secret: string) => post('/api/auth/admin/login', { username: 'admin', password: secret })
  for (let attempt = 0; attempt < 5; attempt++) await signIn('wrong')
  expectProblem(await signIn(adminPassword), 423, 'ACCOUNT_LOCKED')
})

test('20 failed sign-ins in 15 minutes and address are 401, more are 429; correct ones do not count', async () => {
  const address = newAddress()
  await expectAll(200, 25, () => signInFrom(address, 'admin', adminPassword))
  for (let index = 1; index <= 20; index++) {
    expectProblem(await signInFrom(address, `stranger-${index}`, 'wrong'), 401, 'INVALID_CREDENTIALS')
  }
  expectRateLimited(await signInFrom(address, 'stranger-21', 'wrong'), 15 * 60)
  expect((await signInFrom(address, 'admin', adminPassword)).status).toBe(200)
  clock.advance(minutes(15) + 1_000)
  expectProblem(await signInFrom(address, 'stranger-22', 'wrong'), 401, 'INVALID_CREDENTIALS')
})

describe('failed attempts to enter a gallery', () => {
  const shareLogin = (address: string, { slug }: { slug: string }, token: string) =>
    anonymous.post('/api/auth/gallery/share-login', { slug, token }, from(address))
  const verify = (address: string, { slug }: { slug: string }, body: object) =>
    anonymous.post('/api/auth/gallery/verify', { slug, ...body }, from(address))
  const submitForm = (address: string, { slug }: TestEvent, secret: string) =>
    anonymous.call('POST', `/gallery/${slug}/enter`, {
      body: new URLSearchParams({ password: secret }),
      redirect: 'manual',
      headers: from(address),
    })
  const createLocked = () => createEvent(api, { require_password: true, password })
  const expectPage = (page: TestResponse) => {
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }

  test('30 in 15 minutes and address are accepted, by link, password and form together; then 429', async () => {
    const [open, locked, address] = [await createEvent(api), await createLocked(), newAddress()]
    // Correct ones do not count.
    await expectAll(200, 20, () => shareLogin(address, open, open.share_token))
    await expectAll(200, 20, () => verify(address, locked, { password }))
    await expectAll(401, 10, () => shareLogin(address, open, 'wrong'))
    await expectAll(404, 5, () => shareLogin(address, { slug: 'nothing' }, 'wrong'))
    // The service checks the password with and without the white space, but counts one attempt.
    await expectAll(401, 8, () => verify(address, locked, { password: ' wrong ' }))
    await expectAll(401, 7, () => submitForm(address, locked, 'wrong'))

    expectRateLimited(await shareLogin(address, open, 'wrong'), 15 * 60)
    expectRateLimited(await verify(address, locked, { password: 'wrong' }), 15 * 60)
    const page = await submitForm(address, locked, 'wrong')
    expectPage(page)
    expect(page.bytes.toString()).toContain('Too many incorrect passwords')
    expect(page.bytes.toString()).toContain('<form method="post"')

    // A valid share token or password is accepted above the limit of the address.
    expect((await shareLogin(address, open, open.share_token)).status).toBe(200)
    expect((await verify(address, locked, { password })).status).toBe(200)
    expect((await submitForm(address, locked, password)).status).toBe(303)
    expect((await shareLogin(newAddress(), open, 'wrong')).status).toBe(401)
    clock.advance(minutes(15) + 1_000)
    expect((await verify(address, locked, { password: 'wrong' })).status).toBe(401)
  })

  test('at the same time cannot exceed the limit; above it one per second is checked', {
    tags: 'nightly',
  }, async () => {
    const [locked, address] = [await createLocked(), newAddress()]
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 32 }, () => verify(address, locked, { password: 'wrong' })))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
    // Only a lower bound, because load can delay the responses.
    expect(performance.now() - startedAt).toBeGreaterThan(1_900)
  })

  test('above the hourly limit of a gallery, known or not, make its password require the share token', async () => {
    const [locked, other, stranger] = [await createLocked(), await createLocked(), newAddress()]
    const unknown = { slug: 'never-was' }
    const failing = Array.from({ length: 15 }, newAddress)
    for (const gallery of [locked, unknown]) {
      await repeat(lowLimits.entryFailuresOfGallery, (index) => shareLogin(failing[index % 15] ?? '', gallery, 'wrong'))
    }
    const limited = await verify(stranger, locked, { password })
    expectRateLimited(limited, 3600)
    const ofUnknown = await verify(stranger, unknown, { password })
    expect([ofUnknown.status, ofUnknown.body]).toEqual([limited.status, limited.body])
    expectRateLimited(await verify(stranger, locked, { password, share_token: 'wrong' }), 3600)
    expectPage(await submitForm(stranger, locked, password))

    const { share_token } = locked
    expect((await verify(stranger, locked, { password, share_token })).status).toBe(200)
    expect((await verify(stranger, locked, { password: 'wrong', share_token })).status).toBe(401)
    expect((await verify(stranger, other, { password })).status).toBe(200)
    clock.advance(minutes(60) + 1_000)
    expect((await verify(stranger, locked, { password })).status).toBe(200)
  })
})

describe('changes by a guest', () => {
  test('are limited per minute with 429; reads and other guests are not affected', async () => {
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const [guest, other] = [await enterAsGuest(service, event), await enterAsGuest(service, event)]
    const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
    const rate = (by: TestClient, rating: number) => by.post(path, { feedback_type: 'rating', rating })

    await expectAll(200, lowLimits.guestWrites, (index) => rate(guest, (index % 5) + 1))
    const limited = await rate(guest, 1)
    expectRateLimited(limited, 60)
    expect(limited.headers.get('ratelimit-limit')).toBe(String(lowLimits.guestWrites))
    await expectAll(200, 25, () => guest.get(`/api/gallery/${event.slug}/photos`))
    expect((await rate(other, 3)).status).toBe(200)
    clock.advance(minutes(1) + 1_000)
    expect((await rate(guest, 2)).status).toBe(200)
  })

  test('20 selections per hour are accepted; those of many guests above 60 are stored without a mail', async () => {
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const base = `/api/gallery/${event.slug}`
    for (let index = 0; index < 4; index++) {
      const guest = await enterAsGuest(service, event)
      const favorite = { feedback_type: 'favorite' }
      expect((await guest.post(`${base}/photos/${photoId}/feedback`, favorite)).status).toBe(200)
      await expectAll(200, 15, () => guest.post(`${base}/selection`, {}))
      clock.advance(minutes(1) + 1_000)
      await expectAll(200, 5, () => guest.post(`${base}/selection`, {}))
      expectRateLimited(await guest.post(`${base}/selection`, {}), 3_600)
    }
    const { body } = await admin.get(`/api/admin/events/${event.id}/selections`)
    expect(body.pagination.total).toBe(80)
    const mails = (await admin.get('/api/admin/mail/outbox?limit=100')).body.mails
    expect(mails.filter(({ kind }: { kind: string }) => kind === 'selection_submitted')).toHaveLength(60)
  })
})
