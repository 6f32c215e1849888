import { beforeAll, describe, expect, test } from 'vitest'
import type { MaxRequests } from '../../../server/access/rate-limits.ts'
import { createPath, isAsset, listRegisteredRoutes } from '../../support/access/routes.ts'
import { expectProblem, expectRateLimited } from '../../support/clients/problems.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { signIn } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import {
  adminPassword,
  createMovableClock,
  serviceForFile,
  serviceForTest,
} from '../../support/service/test-service.ts'

const minute = 60_000
const password = 'open sesame'

/** Lower limits shorten the tests. `server/access/rate-limits.test.ts` tests the default limits. */
const lowLimits = { anonymous: 30, eventFailures: 60, guestWrites: 20 }

async function startLimitedService(environment: Record<string, string> = {}, maxRequests: MaxRequests = lowLimits) {
  const edges = { clock: createMovableClock(), maxRequests }
  const service = await serviceForTest({ environment: { RATE_LIMIT: 'on', ...environment }, edges })
  return { ...service, clock: edges.clock, service }
}

async function repeat(times: number, call: (index: number) => Promise<TestResponse>): Promise<number[]> {
  const statuses: number[] = []
  for (let done = 0; done < times; done += 20) {
    const some = Array.from({ length: Math.min(20, times - done) }, (_, index) => call(done + index))
    statuses.push(...(await Promise.all(some)).map(({ status }) => status))
  }
  return statuses
}

const exhaustLimit = (anonymous: TestClient, headers: Record<string, string> = {}) =>
  repeat(lowLimits.anonymous, () => anonymous.get('/api/public/settings', headers))

describe('requests without a valid credential', () => {
  test('600 per minute and address are accepted, the next is 429 RATE_LIMITED with Retry-After', async () => {
    const { anonymous, clock } = await startLimitedService({}, {})
    const settings = () => anonymous.get('/api/public/settings')
    expect(new Set(await repeat(600, settings))).toEqual(new Set([200]))
    expectRateLimited(await anonymous.get('/api/public/settings'), 60)
    clock.advance(minute + 1_000)
    expect((await anonymous.get('/api/public/settings')).status).toBe(200)
  })

  test('are counted together: open routes, 401 of every family, unknown paths', async () => {
    const { anonymous, api, admin, url } = await startLimitedService()
    const stranger = createClient(url, 'prf_live_unknown')
    const calls: Array<[status: number, call: () => Promise<TestResponse>]> = [
      [404, () => anonymous.get('/api/gallery/nothing/info')],
      [401, () => anonymous.get('/api/v1/events')],
      [401, () => stranger.get('/api/v1/events')],
      [404, () => anonymous.get('/api/nothing/at/all')],
      [401, () => api.get('/api/admin/events')],
      [401, () => admin.get('/api/v1/events')],
    ]
    for (const [status, call] of calls) expect(new Set(await repeat(5, call))).toEqual(new Set([status]))
    for (const [, call] of calls) expectRateLimited(await call(), 60)
  })

  test('have RateLimit headers; other requests have none', async () => {
    const { anonymous, api, clock } = await startLimitedService()
    const readUsage = ({ headers }: TestResponse) =>
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
    expect(readUsage(await anonymous.get('/api/public/settings'))).toEqual(['30', '29', '60'])
    clock.advance(12_000)
    expect(readUsage(await anonymous.get('/api/v1/events'))).toEqual(['30', '28', '48'])
    expect(readUsage(await anonymous.get('/api/nowhere'))).toEqual(['30', '27', '48'])
    await exhaustLimit(anonymous)
    const limited = await anonymous.get('/api/public/settings')
    expect([...readUsage(limited), limited.headers.get('retry-after')]).toEqual(['30', '0', '48', '48'])
    for (const path of ['/health', '/api/openapi.json']) {
      expect(readUsage(await anonymous.get(path))).toEqual([null, null, null])
    }
    expect(readUsage(await api.get('/api/v1/events'))).toEqual([null, null, null])
  })

  test('pages, assets, health, preflights and the documentation are never limited', async () => {
    const { anonymous, api } = await startLimitedService({ CORS_ORIGINS: 'https://app.example' })
    const { slug, share_token } = await createEvent(api)
    await exhaustLimit(anonymous)
    const statuses = {
      [`/gallery/${slug}/${share_token}`]: 200,
      '/gallery/nothing': 404,
      '/assets/gallery.css': 200,
      '/health': 200,
      '/health/live': 200,
      '/api/docs/': 200,
      '/api/openapi.json': 200,
      '/': 200,
    }
    for (const [path, status] of Object.entries(statuses)) {
      expect((await anonymous.get(path)).status, path).toBe(status)
    }
    expect(new Set(await repeat(40, () => anonymous.get('/health/live')))).toEqual(new Set([200]))
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    for (const [path, status] of Object.entries({ '/api/v1/events': 204, '/api/admin/events': 405 })) {
      expect((await anonymous.call('OPTIONS', path, { headers: preflight })).status, path).toBe(status)
    }
  })
})

describe('an address at its limit', async () => {
  const origin = 'https://app.example'
  const environment = { RATE_LIMIT: 'on', CORS_ORIGINS: origin }
  const service = await serviceForFile({ environment, edges: { maxRequests: lowLimits } })
  const { anonymous } = service
  beforeAll(async () => {
    await exhaustLimit(anonymous)
  })

  test('every route below /api is limited, except sign-in and the documentation', async () => {
    const open: string[] = []
    for (const route of await listRegisteredRoutes(service)) {
      const [method = '', pattern = ''] = route.split(' ')
      if (!pattern.startsWith('/api/') || isAsset(route)) continue
      const answer = await anonymous.call(method, createPath(pattern))
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
  })

  test('another spelling of a path does not bypass the limit', async () => {
    expectRateLimited(await anonymous.get('/%61pi/public/settings'), 60)
  })

  test('pages of other origins can read the rejection; their preflights are not counted', async () => {
    const rejected = await anonymous.get('/api/v1/events', { origin })
    expectRateLimited(rejected, 60)
    expect(rejected.headers.get('access-control-allow-origin')).toBe(origin)
    const headers = { origin, 'access-control-request-method': 'POST' }
    expect((await anonymous.call('OPTIONS', '/api/v1/events', { headers })).status).toBe(204)
  })
})

describe('a valid credential is never rejected and never counted', () => {
  test('API tokens and admins may exceed the limit of others', async () => {
    const { anonymous, api, admin } = await startLimitedService()
    await createEvent(api)
    expect(new Set(await repeat(40, () => api.get('/api/v1/events?limit=1')))).toEqual(new Set([200]))
    expect(new Set(await repeat(40, () => admin.get('/api/admin/event-types')))).toEqual(new Set([200]))
    expect((await anonymous.get('/api/public/settings')).status).toBe(200)
    await exhaustLimit(anonymous)
    expect((await api.get('/api/v1/events')).status).toBe(200)
    expect((await admin.get('/api/admin/events')).status).toBe(200)
    expect((await admin.get('/api/auth/session')).body.valid).toBe(true)
  })

  test('a guest gets every picture of a large gallery, even from an address at its limit', async () => {
    const { anonymous, api, service } = await startLimitedService()
    const event = await createEvent(api)
    const ids = await uploadPhotos(api, event.id, 3)
    const guest = await enterAsGuest(service, event)
    await exhaustLimit(anonymous)
    const picturePath = (index: number) =>
      `/api/gallery/${event.slug}/${['thumbnail', 'photo', 'download'][index % 3]}/${ids[index % ids.length]}`
    expect(new Set(await repeat(40, (index) => guest.get(picturePath(index))))).toEqual(new Set([200]))
    const cookie = `gallery_${event.id}=${guest.token}; gallery_999=nothing`
    expect(new Set(await repeat(60, (index) => anonymous.get(picturePath(index), { cookie })))).toEqual(new Set([200]))
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
  })
})

describe('the counted address', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })

  test('without TRUST_PROXY cannot be changed by a forged header', async () => {
    const { anonymous } = await startLimitedService()
    await repeat(lowLimits.anonymous, (index) => anonymous.get('/api/public/settings', from(`10.0.0.${index}`)))
    expectRateLimited(await anonymous.get('/api/public/settings', from('10.9.9.9')), 60)
  })

  test('with TRUST_PROXY is that of the client; IPv6 counts per /64, IPv4-mapped as IPv4', async () => {
    const { anonymous } = await startLimitedService({ TRUST_PROXY: '1' })
    const requestStatus = async (address: string) => (await anonymous.get('/api/public/settings', from(address))).status
    await exhaustLimit(anonymous, from('10.0.0.1'))
    expect(await requestStatus('10.0.0.1')).toBe(429)
    expect(await requestStatus('::ffff:10.0.0.1')).toBe(429)
    expect(await requestStatus('10.0.0.2')).toBe(200)
    await repeat(lowLimits.anonymous, (index) =>
      anonymous.get('/api/public/settings', from(`2001:db8:1:2::${index.toString(16)}`)),
    )
    expect(await requestStatus('2001:db8:1:2:ffff::1')).toBe(429)
    expect(await requestStatus('2001:db8:1:3::1')).toBe(200)
  })
})

test('RATE_LIMIT=off disables the limits; the lock of an account stays', async () => {
  const { anonymous, api, service } = await startLimitedService({ RATE_LIMIT: 'off' })
  const { slug } = await createEvent(api)
  expect(new Set(await repeat(40, () => anonymous.get('/api/public/settings')))).toEqual(new Set([200]))
  const wrong = { slug, token: 'wrong' }
  const entering = await repeat(80, () => anonymous.post('/api/auth/gallery/share-login', wrong))
  expect(new Set(entering)).toEqual(new Set([401]))
  for (let attempt = 0; attempt < 5; attempt++) await signIn(service, 'admin', 'wrong')
  expectProblem(await signIn(service, 'admin', adminPassword), 423, 'ACCOUNT_LOCKED')
})

describe('failed sign-ins of accounts', () => {
  test('20 in 15 minutes and address are 401, more are 429; a correct password still works', async () => {
    const { service, clock } = await startLimitedService()
    for (let index = 1; index <= 20; index++) {
      expectProblem(await signIn(service, `stranger-${index}`, 'wrong'), 401, 'INVALID_CREDENTIALS')
    }
    expectRateLimited(await signIn(service, 'stranger-21', 'wrong'), 15 * 60)
    expect((await signIn(service, 'admin', adminPassword)).status).toBe(200)
    clock.advance(15 * minute + 1_000)
    expectProblem(await signIn(service, 'stranger-22', 'wrong'), 401, 'INVALID_CREDENTIALS')
  })

  test('5 at one account lock it with 423, before the limit of the address is reached', async () => {
    const { service } = await startLimitedService()
    for (let attempt = 1; attempt <= 5; attempt++) await signIn(service, 'admin', 'wrong')
    expectProblem(await signIn(service, 'admin', adminPassword), 423, 'ACCOUNT_LOCKED')
  })

  test('do not include correct ones', async () => {
    const { service } = await startLimitedService()
    expect(new Set(await repeat(40, () => signIn(service, 'admin', adminPassword)))).toEqual(new Set([200]))
  })
})

describe('failed attempts to enter a gallery', () => {
  const submitEntryForm = (anonymous: TestClient, slug: string, fields: Record<string, string>, address = '') =>
    anonymous.call('POST', `/gallery/${slug}/enter`, {
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers: { 'x-forwarded-for': address },
    })

  async function createTwoGalleries() {
    const limited = await startLimitedService({ TRUST_PROXY: '1' })
    const open = await createEvent(limited.api)
    const locked = await createEvent(limited.api, { require_password: true, password })
    const { anonymous } = limited
    const shareLogin = ({ slug }: TestEvent, token: string, address = '10.0.0.1') =>
      anonymous.post('/api/auth/gallery/share-login', { slug, token }, { 'x-forwarded-for': address })
    const verify = ({ slug }: TestEvent, body: object, address = '10.0.0.1') =>
      anonymous.post('/api/auth/gallery/verify', { slug, ...body }, { 'x-forwarded-for': address })
    return { ...limited, open, locked, shareLogin, verify }
  }

  test('30 in 15 minutes and address are accepted, by link, password and form together; then 429', async () => {
    const { anonymous, open, locked, shareLogin, verify, clock } = await createTwoGalleries()
    expect(await repeat(10, () => shareLogin(open, 'wrong'))).toEqual(Array(10).fill(401))
    expect(await repeat(5, () => shareLogin({ ...open, slug: 'nothing' }, 'wrong'))).toEqual(Array(5).fill(404))
    // The service checks the password with and without the white space, but counts one attempt.
    expect(await repeat(8, () => verify(locked, { password: ' wrong ' }))).toEqual(Array(8).fill(401))
    const enterByForm = () => submitEntryForm(anonymous, locked.slug, { password: 'wrong' }, '10.0.0.1')
    expect(await repeat(7, enterByForm)).toEqual(Array(7).fill(401))

    expectRateLimited(await shareLogin(open, 'wrong'), 15 * 60)
    expectRateLimited(await verify(locked, { password: 'wrong' }), 15 * 60)
    const page = await enterByForm()
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(page.bytes.toString()).toContain('Too many incorrect passwords')
    expect(page.bytes.toString()).toContain('<form method="post"')

    expect((await shareLogin(open, 'wrong', '10.0.0.2')).status).toBe(401)
    clock.advance(15 * minute + 1_000)
    expect((await verify(locked, { password: 'wrong' })).status).toBe(401)
  })

  test('do not block a valid share token or password, even above the limit of the address', async () => {
    const { anonymous, open, locked, shareLogin, verify } = await createTwoGalleries()
    await repeat(31, () => shareLogin(open, 'wrong'))
    expectRateLimited(await shareLogin(open, 'wrong'), 15 * 60)
    expect((await shareLogin(open, open.share_token)).status).toBe(200)
    expect((await verify(locked, { password })).status).toBe(200)
    expect((await submitEntryForm(anonymous, locked.slug, { password }, '10.0.0.1')).status).toBe(303)
  })

  test('do not include correct ones', async () => {
    const { open, locked, shareLogin, verify } = await createTwoGalleries()
    expect(new Set(await repeat(40, () => shareLogin(open, open.share_token)))).toEqual(new Set([200]))
    expect(new Set(await repeat(40, () => verify(locked, { password })))).toEqual(new Set([200]))
    expect((await verify(locked, { password: 'wrong' })).status).toBe(401)
  })

  test('at the same time cannot exceed the limit; above it one per second is checked', async () => {
    const { locked, verify } = await createTwoGalleries()
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 32 }, () => verify(locked, { password: 'wrong' })))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
    // Only a lower bound, because load can delay the responses.
    expect(performance.now() - startedAt).toBeGreaterThan(1_900)
  })

  test('above the hourly limit of one gallery make its password require the share token too', async () => {
    const { anonymous, api, locked, shareLogin, verify, clock } = await createTwoGalleries()
    const other = await createEvent(api, { require_password: true, password })
    await repeat(lowLimits.eventFailures, (index) => shareLogin(locked, 'wrong', `10.0.1.${index % 15}`))
    const stranger = '10.0.2.1'
    expectRateLimited(await verify(locked, { password }, stranger), 3600)
    expectRateLimited(await verify(locked, { password, share_token: 'wrong' }, stranger), 3600)
    const page = await submitEntryForm(anonymous, locked.slug, { password }, stranger)
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])

    const { share_token } = locked
    expect((await verify(locked, { password, share_token }, stranger)).status).toBe(200)
    expect((await verify(locked, { password: 'wrong', share_token }, stranger)).status).toBe(401)
    expect((await verify(other, { password }, stranger)).status).toBe(200)
    clock.advance(60 * minute + 1_000)
    expect((await verify(locked, { password }, stranger)).status).toBe(200)
  })

  test('an unknown gallery cannot be distinguished from an existing one', async () => {
    const { locked, shareLogin, verify } = await createTwoGalleries()
    const unknown = { ...locked, slug: 'nothing' }
    for (const gallery of [locked, unknown]) {
      await repeat(lowLimits.eventFailures, (index) => shareLogin(gallery, 'wrong', `10.0.1.${index % 15}`))
    }
    const [one, two] = [await verify(locked, { password }, '10.0.2.1'), await verify(unknown, { password }, '10.0.2.1')]
    expect(two.body).toEqual(one.body)
    expect(two.status).toBe(one.status)
  })
})

describe('changes by a guest', () => {
  test('are limited per minute with 429; reads and other guests are not affected', async () => {
    const { api, admin, service, clock } = await startLimitedService()
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const [guest, other] = [await enterAsGuest(service, event), await enterAsGuest(service, event)]
    const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
    const rate = (by: TestClient, rating: number) => by.post(path, { feedback_type: 'rating', rating })

    expect(new Set(await repeat(lowLimits.guestWrites, (index) => rate(guest, (index % 5) + 1)))).toEqual(
      new Set([200]),
    )
    const limited = await rate(guest, 1)
    expectRateLimited(limited, 60)
    expect(limited.headers.get('ratelimit-limit')).toBe(String(lowLimits.guestWrites))
    expect(new Set(await repeat(40, () => guest.get(`/api/gallery/${event.slug}/photos`)))).toEqual(new Set([200]))
    expect((await guest.get(`/api/gallery/${event.slug}/download/${photoId}`)).status).toBe(200)
    expect((await rate(other, 3)).status).toBe(200)
    const change = () => admin.patch(`/api/admin/photos/${event.id}/photos/${photoId}`, { visibility: 'visible' })
    expect(new Set(await repeat(40, change))).toEqual(new Set([200]))
    clock.advance(minute + 1_000)
    expect((await rate(guest, 2)).status).toBe(200)
  })

  test('20 selections per hour are accepted; those of many guests above 60 are stored without a mail', async () => {
    const { api, admin, service } = await startLimitedService({}, {})
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const base = `/api/gallery/${event.slug}`
    const guests = await Promise.all([1, 2, 3, 4].map(() => enterAsGuest(service, event)))
    const idle = await enterAsGuest(service, event)
    expect(new Set(await repeat(20, () => idle.post(`${base}/selection`, {})))).toEqual(new Set([400]))
    for (const guest of guests) await guest.post(`${base}/photos/${photoId}/feedback`, { feedback_type: 'favorite' })
    for (const guest of guests) {
      expect(new Set(await repeat(20, () => guest.post(`${base}/selection`, {})))).toEqual(new Set([200]))
      expectRateLimited(await guest.post(`${base}/selection`, {}), 3_600)
    }
    const { body } = await admin.get(`/api/admin/events/${event.id}/selections`)
    expect(body.pagination.total).toBe(80)
    const mails = (await admin.get('/api/admin/mail/outbox?limit=100')).body.mails
    expect(mails.filter(({ kind }: { kind: string }) => kind === 'selection_submitted')).toHaveLength(60)
  })
})
