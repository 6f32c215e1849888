import { describe, expect, test } from 'vitest'
import { type CookieClient, createCookieClient } from '../../support/clients/cookie-client.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api, url } = service

const guestPath = ({ slug }: TestEvent) => `/api/gallery/${slug}/guest`
const getGuest = async (browser: { get: CookieClient['get'] }, event: TestEvent) =>
  (await browser.get(guestPath(event))).body.guest
const shareLogin = ({ slug, share_token: token }: TestEvent) => ({ slug, token })

async function openBrowser(event: TestEvent, at = url): Promise<CookieClient> {
  const browser = createCookieClient(at)
  await browser.get(`/gallery/${event.slug}/${event.share_token}`)
  return browser
}

describe('the guest of a browser', () => {
  test('stays the same after 24 hours, by the form or by verify, and keeps its marks', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const password = 'open sesame'
    const event = await createEvent(timed.api, { require_password: true, password, expiration_days: 100 })
    const [photoId] = await uploadPhotos(timed.api, event.id, 1)
    const browser = createCookieClient(timed.url)
    const { slug, share_token } = event
    await browser.submit(`/gallery/${slug}/enter`, { password, share_token })
    const { id } = await getGuest(browser, event)
    const like = { feedback_type: 'like' }
    expect((await browser.post(`/api/gallery/${slug}/photos/${photoId}/feedback`, like)).status).toBe(200)

    const enterFunctions = [
      () => browser.submit(`/gallery/${slug}/enter`, { password, share_token }),
      () => browser.post('/api/auth/gallery/verify', { slug, password }),
    ]
    for (const enter of enterFunctions) {
      clock.advance(25 * 3_600_000)
      expectProblem(await browser.get(guestPath(event)), 401, 'TOKEN_EXPIRED')
      await enter()
      expect((await getGuest(browser, event)).id).toBe(id)
      const { photos } = (await browser.get(`/api/gallery/${slug}/photos`)).body
      expect(photos[0].is_liked).toBe(true)
    }
  })

  test('stays the same after a password change', async () => {
    const event = await createEvent(api)
    const browser = await openBrowser(event)
    const { id } = await getGuest(browser, event)
    await api.patch(`/api/v1/events/${event.id}`, { require_password: true, password: 'open sesame' })
    expectProblem(await browser.get(guestPath(event)), 401, 'TOKEN_REVOKED')
    await browser.submit(`/gallery/${event.slug}/enter`, { password: 'open sesame' })
    expect((await getGuest(browser, event)).id).toBe(id)
  })

  test('is in an httpOnly cookie for a year, counted once, and another one in each event and browser', async () => {
    const [event, other] = [await createEvent(api), await createEvent(api)]
    const { headers } = await anonymous.get(`/gallery/${event.slug}/${event.share_token}`)
    const cookie = headers.getSetCookie().find((line) => line.startsWith(`guest_${event.id}=`))
    for (const part of [/; Max-Age=31536000/i, /; HttpOnly/i, /; SameSite=Lax/i]) expect(cookie).toMatch(part)
    const browser = await openBrowser(event)
    const ids = [
      await getGuest(browser, event),
      await getGuest(await openBrowser(event), event),
      await getGuest(await openBrowser(other), other),
    ].map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    browser.forget(`gallery_${event.id}`)
    await browser.post('/api/auth/gallery/share-login', shareLogin(event))
    expect((await getGuest(browser, event)).id).toBe(ids[0])
    expect((await api.get(`/api/v1/events/${event.id}`)).body.total_views).toBe(3)
  })

  test('is new if the cookie is forged or of another event; the cookie alone opens nothing', async () => {
    const [event, other] = [await createEvent(api), await createEvent(api)]
    const browser = await openBrowser(event)
    const { id } = await getGuest(browser, event)
    const token = browser.jar.get(`guest_${event.id}`) ?? ''
    expectProblem(
      await createCookieClient(url, { [`guest_${event.id}`]: token }).get(guestPath(event)),
      401,
      'NO_TOKEN',
    )
    const forged = [`x${token}`, `${token}x`, token.replace(/^./, 'x'), 'garbage', token.split('.')[0] ?? '']
    for (const value of forged) {
      const forgedBrowser = createCookieClient(url, { [`guest_${event.id}`]: value })
      expect((await forgedBrowser.post('/api/auth/gallery/share-login', shareLogin(event))).status).toBe(200)
      expect((await getGuest(forgedBrowser, event)).id).not.toBe(id)
    }
    const stranger = createCookieClient(url, { [`guest_${other.id}`]: token })
    await stranger.post('/api/auth/gallery/share-login', shareLogin(other))
    expect((await getGuest(stranger, other)).id).not.toBe(id)
  })

  test('is forgotten at sign-out: the next guest on the device is a new one', async () => {
    const event = await createEvent(api)
    const browser = await openBrowser(event)
    const { id } = await getGuest(browser, event)
    expect((await browser.post('/api/auth/gallery/logout', {})).status).toBe(200)
    expect(browser.jar.size).toBe(0)
    await browser.get(`/gallery/${event.slug}/${event.share_token}`)
    expect((await getGuest(browser, event)).id).not.toBe(id)
  })
})

test('POST guest names the guest, again changes the name, and keeps an omitted mail address', async () => {
  const event = await createEvent(api)
  const guest = await enterAsGuest(service, event)
  expect(await getGuest(guest, event)).toEqual({ id: expect.any(String), name: null, email: null })
  const { status, body } = await guest.post(guestPath(event), { name: '  Zoë ', email: 'zoe@example.com' })
  expect(status).toBe(200)
  expect(body.guest).toMatchObject({ name: 'Zoë', email: 'zoe@example.com' })
  expect(await getGuest(guest, event)).toEqual(body.guest)
  const renamed = { ...body.guest, name: 'Zoë B.' }
  expect((await guest.post(guestPath(event), { name: 'Zoë B.' })).body.guest).toEqual(renamed)
  for (const name of [undefined, null, '', '   ', 7, 'x'.repeat(101)]) {
    expectInvalidField(await guest.post(guestPath(event), { name }), 'name')
  }
  expectInvalidField(await guest.post(guestPath(event), { name: 'Zoë', email: 'nonsense' }), 'email')
})

test('a guest can set the name 120 times a minute, whatever the session, and read at any time', async () => {
  const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const event = await createEvent(limited.api)
  const [guest, elsewhere] = [await enterAsGuest(limited, event), await enterAsGuest(limited, event)]
  const { token } = (await guest.post(guestPath(event), { name: 'Zoë' })).body
  const names = Array.from({ length: 119 }, () => guest.post(guestPath(event), { name: 'Zoë' }))
  for (const { status } of await Promise.all(names)) expect(status).toBe(200)
  expectProblem(await guest.post(guestPath(event), { name: 'Zoë' }), 429, 'RATE_LIMITED')
  const guestHeaders = { 'x-guest-token': token }
  expectProblem(await elsewhere.post(guestPath(event), { name: 'Zoë' }, guestHeaders), 429, 'RATE_LIMITED')
  expect((await elsewhere.post(guestPath(event), { name: 'Ben' })).status).toBe(200)
  expect((await guest.get(guestPath(event))).status).toBe(200)
})

describe('X-Guest-Token', () => {
  const withToken = (token: string) => ({ 'x-guest-token': token })

  test('identifies the guest with any session of the gallery, and at share-login and verify', async () => {
    const password = 'open sesame'
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const ana = await enterAsGuest(service, event)
    const { guest, token } = (await ana.post(guestPath(event), { name: 'Ana' })).body
    const elsewhere = await enterAsGuest(service, event)
    expect((await elsewhere.get(guestPath(event), withToken(token))).body.guest).toEqual(guest)
    const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
    await elsewhere.post(path, { feedback_type: 'rating', rating: 5 }, withToken(token))
    const seen = async (client: typeof ana) => (await client.get(`/api/gallery/${event.slug}/photos`)).body.photos[0]
    expect((await seen(ana)).my_rating).toBe(5)
    expect((await seen(elsewhere)).my_rating).toBeNull()

    const byLink = await anonymous.post('/api/auth/gallery/share-login', shareLogin(event), withToken(token))
    expect((await getGuest(createClient(url, byLink.body.token), event)).id).toBe(guest.id)
    const locked = await createEvent(api, { require_password: true, password })
    const verify = (headers = {}) =>
      anonymous.post('/api/auth/gallery/verify', { slug: locked.slug, password }, headers)
    const named = await createClient(url, (await verify()).body.token).post(guestPath(locked), { name: 'Ana' })
    const byPassword = createClient(url, (await verify(withToken(named.body.token))).body.token)
    expect((await getGuest(byPassword, locked)).id).toBe(named.body.guest.id)
  })

  test('that is invalid or foreign returns 401 INVALID_TOKEN, on every route, cached or not', async () => {
    const [event, other] = [await createEvent(api), await createEvent(api)]
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    const stranger = await enterAsGuest(service, other)
    const foreign = (await stranger.post(guestPath(other), { name: 'Ben' })).body.token
    const thumbnail = `/api/gallery/${event.slug}/thumbnail/${photoId}`
    for (let index = 0; index < 3; index++) expect((await guest.get(thumbnail)).status).toBe(200)
    for (const token of [foreign, 'garbage', '']) {
      for (const path of [thumbnail, `/api/gallery/${event.slug}/photos`, guestPath(event)]) {
        expectProblem(await guest.get(path, withToken(token)), 401, 'INVALID_TOKEN')
      }
      const body = shareLogin(event)
      const entering = await anonymous.post('/api/auth/gallery/share-login', body, withToken(token))
      expectProblem(entering, 401, 'INVALID_TOKEN')
      expect(entering.headers.getSetCookie()).toEqual([])
    }
  })

  test('opens nothing by itself, reveals nothing to callers who may not enter, and makes no operator a guest', async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    const { token } = (await guest.post(guestPath(event), { name: 'Ana' })).body
    expectProblem(await anonymous.get(guestPath(event), withToken(token)), 401, 'NO_TOKEN')
    expectProblem(await createClient(url, token).get(guestPath(event)), 401, 'INVALID_TOKEN')
    const wrong = { slug: event.slug, token: 'wrong' }
    const rejected = await anonymous.post('/api/auth/gallery/share-login', wrong, withToken('garbage'))
    expectProblem(rejected, 401, 'INVALID_CREDENTIALS')
    const { body } = await admin.get(`/api/gallery/${event.slug}/session`, withToken(token))
    expect(body).toMatchObject({ kind: 'operator', guest: null })
  })
})
