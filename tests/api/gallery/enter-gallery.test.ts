import { beforeAll, describe, expect, test } from 'vitest'
import { foreignForms } from '../../support/access/form-origins.ts'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const password = 'open sesame'
const service = await sharedService()
const { anonymous, api, admin, url } = service
let openEvent: TestEvent
let lockedEvent: TestEvent
beforeAll(async () => {
  openEvent = await createEvent(api)
  lockedEvent = await createEvent(api, { require_password: true, password })
  await uploadPhotos(api, lockedEvent.id, 1)
})

const shareLogin = (body: object) => anonymous.post('/api/auth/gallery/share-login', body)
const verify = (body: object) => anonymous.post('/api/auth/gallery/verify', body)
const getPhotos = ({ slug }: TestEvent, token: string) => createClient(url, token).get(`/api/gallery/${slug}/photos`)

describe('info', () => {
  test('is public, and shows only public fields', async () => {
    const event = await createEvent(api, { event_date: '2031-07-05', allow_downloads: false })
    const { status, body } = await anonymous.get(`/api/gallery/${event.slug}/info`)
    expect(status).toBe(200)
    const row = (await api.get(`/api/v1/events/${event.id}`)).body
    const sharedKeys = `event_name event_type event_date expires_at is_active theme_preset color_theme header_style
      allow_downloads allow_user_uploads default_photo_sort feedback_enabled reveal_at`
    for (const key of sharedKeys.split(/\s+/)) expect(body[key]).toEqual(row[key])
    expect(body).toMatchObject({ is_expired: false, requires_password: false, hidden_until_reveal: false })
    expect(body).not.toHaveProperty('share_token')
    expect(body).not.toHaveProperty('customer_email')
  })

  test('never rejects a credential: a bad or foreign one counts as none', async () => {
    const path = `/api/gallery/${lockedEvent.slug}/info`
    const foreign = await enterAsGuest(service, openEvent)
    for (const client of [createClient(url, 'garbage'), foreign, api, admin]) {
      expect((await client.get(path)).body).toEqual((await anonymous.get(path)).body)
    }
    expect((await anonymous.get(path)).body.requires_password).toBe(true)
  })
})

describe('share-login', () => {
  test('returns {token, event} and sets an httpOnly cookie', async () => {
    const { status, body, headers } = await shareLogin({ slug: openEvent.slug, token: openEvent.share_token })
    expect(status).toBe(200)
    expect(body.event).toMatchObject({ event_name: 'Ana & Ben' })
    expect((await getPhotos(openEvent, body.token)).status).toBe(200)
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).toMatch(new RegExp(`^gallery_${openEvent.id}=`))
    const byCookie = await anonymous.get(`/api/gallery/${openEvent.slug}/photos`, {
      cookie: cookie.split(';')[0] ?? '',
    })
    expect(byCookie.status).toBe(200)
  })

  test('with a password: 200 {requires_password: true}, no token and no cookie', async () => {
    const { status, body, headers } = await shareLogin({ slug: lockedEvent.slug, token: lockedEvent.share_token })
    expect([status, body, headers.getSetCookie()]).toEqual([200, { requires_password: true }, []])
  })

  test('a wrong token is 401 without WWW-Authenticate, an unknown slug 404, a missing field 400', async () => {
    for (const token of ['x', `${openEvent.share_token}x`, openEvent.share_token.slice(1), lockedEvent.share_token]) {
      const answer = await shareLogin({ slug: openEvent.slug, token })
      expectProblem(answer, 401, 'INVALID_CREDENTIALS')
      expect(answer.headers.get('www-authenticate')).toBeNull()
    }
    expectProblem(await shareLogin({ slug: lockedEvent.slug, token: 'x' }), 401, 'INVALID_CREDENTIALS')
    expectProblem(await shareLogin({ slug: 'nothing', token: 'x' }), 404, 'NOT_FOUND')
    expectInvalidField(await shareLogin({ slug: openEvent.slug, token: '' }), 'token')
    expectInvalidField(await shareLogin({ token: openEvent.share_token }), 'slug')
  })
})

describe('verify', () => {
  test('returns {token, event} and sets the cookie, with or without the share token', async () => {
    for (const body of [
      { password },
      { password, share_token: lockedEvent.share_token },
      { password, share_token: 'x' },
    ]) {
      const answer = await verify({ slug: lockedEvent.slug, ...body })
      expect(answer.status).toBe(200)
      expect((await getPhotos(lockedEvent, answer.body.token)).body.photos).toHaveLength(1)
      expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly/i)
    }
  })

  test('returns the same 401 for a wrong slug and a wrong password', async () => {
    const draft = await createEvent(api, { require_password: true, password, is_draft: true })
    const answers = [
      await verify({ slug: lockedEvent.slug, password: 'wrong' }),
      await verify({ slug: 'nothing', password }),
      await verify({ slug: openEvent.slug, password }),
      await verify({ slug: draft.slug, password }),
    ]
    for (const answer of answers) {
      expectProblem(answer, 401, 'INVALID_CREDENTIALS')
      expect(answer.body).toEqual(answers[0]?.body)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test('accepts white space around the password, as copied from a mail, but not less than it has itself', async () => {
    for (const typed of [`\t${password}\r\n`, `\u00a0${password}`]) {
      expect((await verify({ slug: lockedEvent.slug, password: typed })).status).toBe(200)
    }
    for (const typed of [' ', 'open  sesame', ` ${password}x`]) {
      expectProblem(await verify({ slug: lockedEvent.slug, password: typed }), 401, 'INVALID_CREDENTIALS')
    }
    const spaced = await createEvent(api, { require_password: true, password: ' open sesame ' })
    expect((await verify({ slug: spaced.slug, password: ' open sesame ' })).status).toBe(200)
    for (const typed of ['open sesame', '  open sesame  ']) {
      expectProblem(await verify({ slug: spaced.slug, password: typed }), 401, 'INVALID_CREDENTIALS')
    }
  })

  test('by a form on another site shows the form of the gallery and sets no cookie', async () => {
    const form = { password, share_token: '' }
    const submit = (headers: Record<string, string>) =>
      createCookieClient(service.url).submit(`/gallery/${lockedEvent.slug}/enter`, form, headers)
    for (const headers of foreignForms) {
      const foreign = await submit(headers)
      expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null])
      expect(foreign.bytes.toString()).toContain('name="password"')
      expect(foreign.bytes.toString()).toContain('This form was sent from another website')
    }
    const own = await submit({ 'sec-fetch-site': 'same-origin', origin: 'null' })
    expect([own.status, own.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('gallery_')])
  })

  test('requires the share token as well while gallery_password_needs_link is on', async () => {
    await admin.put('/api/admin/settings', { gallery_password_needs_link: true })
    expectProblem(await verify({ slug: lockedEvent.slug, password }), 401, 'INVALID_CREDENTIALS')
    const both = { slug: lockedEvent.slug, password, share_token: lockedEvent.share_token }
    expect((await verify(both)).status).toBe(200)
    await admin.put('/api/admin/settings', { gallery_password_needs_link: false })
  })
})

const claimsOf = (token = '') => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

test('the gallery token is a JWT of the type gallery that lasts 24 hours, or as many days as the event chooses', async () => {
  const { token } = await enterAsGuest(service, openEvent)
  const claims = claimsOf(token)
  expect(claims).toMatchObject({ type: 'gallery', gid: expect.any(String) })
  expect(claims.exp - claims.iat).toBe(24 * 3600)
  expect((await enterAsGuest(service, openEvent)).token).not.toBe(token)
  expectProblem(await getPhotos(lockedEvent, token ?? ''), 403, 'FORBIDDEN')

  const event = await createEvent(api, { require_password: true, password, guest_session_days: 30 })
  const entered = await verify({ slug: event.slug, password })
  const { exp, iat } = claimsOf(entered.body.token)
  expect(exp - iat).toBe(30 * 24 * 3600)
  expect(entered.headers.getSetCookie().join()).toMatch(/gallery_\d+=[^;]+; Max-Age=2592000/)
  for (const guest_session_days of [0, 31, 1.5]) {
    expectInvalidField(await api.patch(`/api/v1/events/${event.id}`, { guest_session_days }), 'guest_session_days')
  }
})

test('the slug alone opens only galleries without a password, while gallery_allow_slug_only is on', async () => {
  const expectClosed = async () => {
    expectProblem(await anonymous.get(`/api/gallery/${openEvent.slug}/photos`), 401, 'NO_TOKEN')
    for (const enter of [shareLogin, verify]) {
      expectProblem(await enter({ slug: openEvent.slug }), 401, 'INVALID_CREDENTIALS')
    }
    expectProblem(await verify({ slug: openEvent.slug, password: 'anything' }), 401, 'INVALID_CREDENTIALS')
    expectProblem(await verify({ slug: lockedEvent.slug }), 401, 'INVALID_CREDENTIALS')
  }
  await expectClosed()
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: true })
  for (const enter of [shareLogin, verify]) {
    const { status, body } = await enter({ slug: openEvent.slug })
    expect([status, body.event.slug]).toEqual([200, openEvent.slug])
    expect((await getPhotos(openEvent, body.token)).status).toBe(200)
    expectProblem(await enter({ slug: openEvent.slug, token: 'x', share_token: 'x' }), 401, 'INVALID_CREDENTIALS')
  }
  expect((await shareLogin({ slug: lockedEvent.slug })).body).toEqual({ requires_password: true })
  expectProblem(await verify({ slug: lockedEvent.slug }), 401, 'INVALID_CREDENTIALS')
  expectProblem(await shareLogin({ slug: 'nothing' }), 404, 'NOT_FOUND')
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: false })
  await expectClosed()
})
