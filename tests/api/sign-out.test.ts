import { describe, expect, test } from 'vitest'
import { createAccount, signIn } from '../support/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../support/events.ts'
import { expectProblem } from '../support/problems.ts'
import { changeDatabase, inDatabase } from '../support/stored.ts'
import { createClient } from '../support/test-client.ts'
import { adminPassword, serviceForFile, serviceForTest } from '../support/test-service.ts'

const service = await serviceForFile()
const { anonymous, url } = service

const newSession = async (to = service) => (await signIn(to, 'admin', adminPassword)).body.token as string
const clearedCookies = (headers: Headers) =>
  headers
    .getSetCookie()
    .filter((cookie) => /expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie))
    .map((cookie) => cookie.slice(0, cookie.indexOf('=')))

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
    expect(clearedCookies(answer.headers)).toContain('admin_token')
    expectProblem(await anonymous.get('/api/admin/events', { cookie }), 401, 'TOKEN_REVOKED')
  })

  test('leaves other sessions of the account alone', async () => {
    const other = createClient(url, await newSession())
    await createClient(url, await newSession()).post(path, {})
    expect((await other.get('/api/admin/events')).status).toBe(200)
  })

  test('answers 200 without a token, with garbage, with an expired or revoked one', async () => {
    const revoked = createClient(url, await newSession())
    await revoked.post(path, {})
    for (const client of [anonymous, createClient(url, 'garbage'), createClient(url, service.api.token), revoked]) {
      expect((await client.post(path, {})).status).toBe(200)
    }
    expect((await anonymous.post(path, {}, { cookie: 'admin_token=garbage' })).status).toBe(200)
    expect((await service.api.get('/api/v1/events')).status).toBe(200)
  })

  test('answers 500 and still clears the cookie when the revocation cannot be stored', async () => {
    const broken = await serviceForTest()
    const cookie = `admin_token=${await newSession(broken)}`
    await changeDatabase(broken, (sqlite) => sqlite.exec('drop table revoked_sessions'))
    const answer = await broken.anonymous.post(path, {}, { cookie })
    expectProblem(answer, 500, 'INTERNAL_ERROR')
    expect(clearedCookies(answer.headers)).toContain('admin_token')
  })
})

describe('a revoked token', () => {
  test('is not let in under another spelling of its signature', async () => {
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
    const rows = inDatabase(service, (sqlite) => sqlite.prepare('select * from revoked_sessions').all())
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('guests leave too', () => {
  test('by header, from every route, pictures in memory included', async () => {
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

  test('by header and cookie at once, both of which are revoked', async () => {
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
    expect(clearedCookies(left.headers)).toContain(`gallery_${event.id}`)
    expectProblem(await anonymous.get(`/api/gallery/${event.slug}/photos`, { cookie }), 401, 'TOKEN_REVOKED')
  })

  test('also without a token', async () => {
    expect((await anonymous.post('/api/auth/gallery/logout', {})).status).toBe(200)
    expect((await createClient(url, 'garbage').post('/api/auth/gallery/logout', {})).status).toBe(200)
  })

  test('with 500 and a cleared cookie when the revocation cannot be stored', async () => {
    const broken = await serviceForTest()
    const event = await createEvent(broken.api)
    const guest = await enterAsGuest(broken, event)
    await changeDatabase(broken, (sqlite) => sqlite.exec('drop table revoked_sessions'))
    const cookie = `gallery_${event.id}=${guest.token}`
    const answer = await broken.anonymous.post('/api/auth/gallery/logout', {}, { cookie })
    expectProblem(answer, 500, 'INTERNAL_ERROR')
    expect(clearedCookies(answer.headers)).toContain(`gallery_${event.id}`)
  })
})

test('a guest token is not ended as an admin session, nor the other way round', async () => {
  const { admin } = await createAccount(service, 'admin')
  await admin.post('/api/auth/gallery/logout', {})
  expect((await admin.get('/api/admin/events')).status).toBe(200)
})
