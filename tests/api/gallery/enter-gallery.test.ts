import { beforeAll, describe, expect, test } from 'vitest'
import { foreignForms, ownForms } from '../../support/access/form-origins.ts'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

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
    expect(status).toBe(200)
    expect(body).toEqual({ requires_password: true })
    expect(headers.getSetCookie()).toEqual([])
  })

  test('a wrong token is 401, an unknown slug 404, a missing field 400', async () => {
    for (const token of ['x', `${openEvent.share_token}x`, openEvent.share_token.slice(1), lockedEvent.share_token]) {
      expectProblem(await shareLogin({ slug: openEvent.slug, token }), 401, 'INVALID_CREDENTIALS')
    }
    expectProblem(await shareLogin({ slug: lockedEvent.slug, token: 'x' }), 401, 'INVALID_CREDENTIALS')
    expectProblem(await shareLogin({ slug: 'nothing', token: 'x' }), 404, 'NOT_FOUND')
    expectInvalidField(await shareLogin({ slug: openEvent.slug, token: '' }), 'token')
    expectInvalidField(await shareLogin({ token: openEvent.share_token }), 'slug')
  })

  test('sends no WWW-Authenticate with a rejection', async () => {
    const { headers } = await shareLogin({ slug: openEvent.slug, token: 'x' })
    expect(headers.get('www-authenticate')).toBeNull()
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

  test('accepts the password with surrounding white space, as copied from a mail', async () => {
    for (const typed of [` ${password}`, `${password} `, `\t${password}\r\n`, `\u00a0${password}`]) {
      expect((await verify({ slug: lockedEvent.slug, password: typed })).status).toBe(200)
      const form = { redirect: 'manual', body: new URLSearchParams({ password: typed, share_token: '' }) } as const
      expect((await anonymous.call('POST', `/gallery/${lockedEvent.slug}/enter`, form)).status).toBe(303)
    }
    for (const typed of [' ', 'open  sesame', ` ${password}x`, 'opensesame ']) {
      expectProblem(await verify({ slug: lockedEvent.slug, password: typed }), 401, 'INVALID_CREDENTIALS')
    }
  })

  test('requires the exact white space of a password that begins or ends with it', async () => {
    const spacedEvent = await createEvent(api, { require_password: true, password: ' open sesame ' })
    expect((await verify({ slug: spacedEvent.slug, password: ' open sesame ' })).status).toBe(200)
    for (const typed of ['open sesame', ' open sesame', '  open sesame  ']) {
      expectProblem(await verify({ slug: spacedEvent.slug, password: typed }), 401, 'INVALID_CREDENTIALS')
    }
  })

  test('without a password opens a passwordless gallery by its slug, if the settings allow it', async () => {
    const open = await createEvent(api)
    const enter = (fields: object = {}) => verify({ slug: open.slug, ...fields })
    expectProblem(await verify({ slug: lockedEvent.slug }), 401, 'INVALID_CREDENTIALS')
    expectProblem(await enter(), 401, 'INVALID_CREDENTIALS')
    await admin.put('/api/admin/settings', { gallery_allow_slug_only: true })
    expect(await enter()).toMatchObject({ status: 200, body: { event: { slug: open.slug } } })
    expectProblem(await enter({ share_token: 'wrong' }), 401, 'INVALID_CREDENTIALS')
    expectProblem(await verify({ slug: lockedEvent.slug }), 401, 'INVALID_CREDENTIALS')
    await admin.put('/api/admin/settings', { gallery_allow_slug_only: false })
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
    for (const headers of ownForms(service.url)) {
      const own = await submit(headers)
      expect([own.status, own.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('gallery_')])
    }
  })

  test('requires the share token as well while gallery_password_needs_link is on', async () => {
    await admin.put('/api/admin/settings', { gallery_password_needs_link: true })
    expectProblem(await verify({ slug: lockedEvent.slug, password }), 401, 'INVALID_CREDENTIALS')
    const both = { slug: lockedEvent.slug, password, share_token: lockedEvent.share_token }
    expect((await verify(both)).status).toBe(200)
    await admin.put('/api/admin/settings', { gallery_password_needs_link: false })
  })
})

describe('the gallery token', () => {
  test('and its cookie last as many days as the event chooses', async () => {
    const event = await createEvent(api, { require_password: true, password, guest_session_days: 30 })
    const entered = await anonymous.post('/api/auth/gallery/verify', { slug: event.slug, password })
    const claims = JSON.parse(Buffer.from(entered.body.token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(30 * 24 * 3600)
    expect(entered.headers.getSetCookie().join()).toMatch(/gallery_\d+=[^;]+; Max-Age=2592000/)
    for (const guest_session_days of [0, 31, 1.5]) {
      expectInvalidField(await api.patch(`/api/v1/events/${event.id}`, { guest_session_days }), 'guest_session_days')
    }
  })

  test('is a JWT of the type gallery that lasts 24 hours and names the guest', async () => {
    const { token } = await enterAsGuest(service, openEvent)
    const claims = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ type: 'gallery', gid: expect.any(String) })
    expect(claims.exp - claims.iat).toBe(24 * 3600)
    expect((await enterAsGuest(service, openEvent)).token).not.toBe(token)
  })

  test('is TOKEN_EXPIRED after 24 hours, cached or not', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const event = await createEvent(timed.api)
    const [photoId] = await uploadPhotos(timed.api, event.id, 1)
    const guest = await enterAsGuest(timed, event)
    const thumbnail = `/api/gallery/${event.slug}/thumbnail/${photoId}`
    for (let index = 0; index < 3; index++) expect((await guest.get(thumbnail)).status).toBe(200)
    clock.advance(24 * 3_600_000 + 1_000)
    expectProblem(await guest.get(thumbnail), 401, 'TOKEN_EXPIRED')
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 401, 'TOKEN_EXPIRED')
  })

  test('opens one gallery: another returns 403', async () => {
    const guest = await enterAsGuest(service, openEvent)
    const [photoId] = await uploadPhotos(api, lockedEvent.id, 1)
    for (const route of ['photos', `photo/${photoId}`, `thumbnail/${photoId}`, `download/${photoId}`]) {
      expectProblem(await guest.get(`/api/gallery/${lockedEvent.slug}/${route}`), 403, 'FORBIDDEN')
    }
  })
})

describe('the slug alone', () => {
  test('opens nothing: 401', async () => {
    expectProblem(await anonymous.get(`/api/gallery/${openEvent.slug}/photos`), 401, 'NO_TOKEN')
    expectProblem(await shareLogin({ slug: openEvent.slug }), 401, 'INVALID_CREDENTIALS')
    expectProblem(await verify({ slug: openEvent.slug, password: 'anything' }), 401, 'INVALID_CREDENTIALS')
  })

  test('opens only galleries without a password, while gallery_allow_slug_only is on', async () => {
    await admin.put('/api/admin/settings', { gallery_allow_slug_only: true })
    const { status, body } = await shareLogin({ slug: openEvent.slug })
    expect(status).toBe(200)
    expect((await getPhotos(openEvent, body.token)).status).toBe(200)
    expect((await shareLogin({ slug: lockedEvent.slug })).body).toEqual({ requires_password: true })
    expectProblem(await shareLogin({ slug: openEvent.slug, token: 'wrong' }), 401, 'INVALID_CREDENTIALS')
    expectProblem(await shareLogin({ slug: 'nothing' }), 404, 'NOT_FOUND')
    await admin.put('/api/admin/settings', { gallery_allow_slug_only: false })
    expectProblem(await shareLogin({ slug: openEvent.slug }), 401, 'INVALID_CREDENTIALS')
  })
})
