import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin, anonymous } = service

const path = (id: number): string => `/api/v1/events/${id}`
const changeEvent = (id: number, body: object) => api.patch(path(id), body)
const getEvent = async (id: number) => (await api.get(path(id))).body

describe('PATCH changes only the fields that are sent', () => {
  const changes: Array<[object, object]> = [
    [{ event_name: ' Ana and Ben ' }, { event_name: 'Ana and Ben' }],
    [{ event_date: null }, { event_date: null }],
    [
      { customer_name: '', customer_email: '', admin_email: '' },
      { customer_name: null, customer_email: null, admin_email: null },
    ],
    [
      { host_name: 'Ben', host_email: 'ben@example.com' },
      { customer_name: 'Ben', customer_email: 'ben@example.com' },
    ],
    [{ welcome_message: null }, { welcome_message: '' }],
    [{ color_theme: 'coast' }, { theme_preset: 'coast', color_theme: 'coast' }],
    [{ header_style: 'none' }, { header_style: 'none' }],
    [{ typeface: 'manrope' }, { typeface: 'manrope' }],
    [{ typeface: null }, { typeface: null }],
    [{ default_photo_sort: 'filename_asc' }, { default_photo_sort: 'filename_asc' }],
    [{ expires_at: '2099-01-31' }, { expires_at: '2099-01-31T23:59:59.999Z' }],
    [
      { download_max_px: 2000, allow_likes: false },
      { download_max_px: 2000, allow_likes: false },
    ],
    [{ reveal_at: '2099-01-01T10:00:00' }, { reveal_at: '2099-01-01T10:00:00.000Z' }],
    [{ event_type: 'birthday' }, { event_type: 'birthday' }],
    [{ is_draft: false }, {}],
    [{}, {}],
  ]

  test('as they are stored and read again', async () => {
    const { id } = await createEvent(api, { event_date: '2026-06-20', customer_name: 'Eva' })
    for (const [body, expected] of changes) {
      const { updated_at, ...before } = await getEvent(id)
      const answer = await changeEvent(id, body)
      expect(answer.status, JSON.stringify(body)).toBe(200)
      expect(answer.body).toMatchObject({ ...before, ...expected, updated_at: expect.any(String) })
      expect(await getEvent(id)).toEqual(answer.body)
    }
  })

  test('also as PUT, which exists only in the admin API', async () => {
    const { id } = await createEvent(api, { customer_name: 'Ana Berg' })
    for (const [send, event_name] of [
      [admin.put, 'Other'],
      [admin.patch, 'Another'],
    ] as const) {
      const { status, body } = await send(`/api/admin/events/${id}`, { event_name })
      expect([status, body.event_name, body.customer_name]).toEqual([200, event_name, 'Ana Berg'])
    }
    expectInvalidField(await admin.put(`/api/admin/events/${id}`, { slug: 'mine' }), 'slug')
    expectProblem(await api.put(path(id), { event_name: 'x' }), 405, 'METHOD_NOT_ALLOWED')
  })
})

describe('PATCH rejects', () => {
  test('an invalid value or an unknown key, and changes nothing', async () => {
    const { id } = await createEvent(api)
    const before = await getEvent(id)
    for (const [body, field] of [
      [{ id: 5 }, 'id'],
      [{ slug: 'other' }, 'slug'],
      [{ share_token: 'abc' }, 'share_token'],
      [{ wrong_key: 1 }, 'wrong_key'],
      [{ event_name: '' }, 'event_name'],
      [{ event_date: '2026-02-30' }, 'event_date'],
      [{ event_type: 'nothing' }, 'event_type'],
      [{ theme_preset: 'nothing' }, 'theme_preset'],
      [{ typeface: 'serif' }, 'typeface'],
      [{ password: '123456' }, 'password'],
      [{ require_password: true }, 'password'],
      [{ allow_user_uploads: true }, 'upload_category_id'],
      [{ expires_at: '2020-01-01' }, 'expires_at'],
      [{ expires_at: null }, 'expires_at'],
      [{ expires_at: '9999-12-31T23:59:59-14:00' }, 'expires_at'],
      [{ expiration_days: 366 }, 'expiration_days'],
    ] as const) {
      expectInvalidField(await changeEvent(id, body), field)
    }
    expect(await getEvent(id)).toEqual(before)
  })

  test('a change between draft and live, and names publish', async () => {
    const draft = await createEvent(api, { is_draft: true })
    const answer = await changeEvent(draft.id, { is_draft: false })
    expectProblem(answer, 409, 'INVALID_STATE')
    expect(answer.body.error).toContain('publish')
    expectProblem(await changeEvent((await createEvent(api)).id, { is_draft: true }), 409, 'INVALID_STATE')
  })

  test('an empty value for a required field', async () => {
    const { id } = await createEvent(api, { customer_name: 'Ana' })
    await admin.put('/api/admin/settings', { event_require_customer_name: true })
    expectInvalidField(await changeEvent(id, { customer_name: null }), 'customer_name')
    await admin.put('/api/admin/settings', { event_require_customer_name: false })
    expect((await changeEvent(id, { customer_name: null })).status).toBe(200)
  })
})

describe('a new password', () => {
  test('creates a new share link and ends every guest session at once, also for cached thumbnails', async () => {
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    const thumbnail = `/api/gallery/${event.slug}/thumbnail/${photoId}`
    for (let index = 0; index < 3; index++) expect((await guest.get(thumbnail)).status).toBe(200)
    const { body } = await changeEvent(event.id, { require_password: true, password: 'seaside-evening' })
    expect(body.share_token).not.toBe(event.share_token)
    expect(body.share_url).toContain(body.share_token)
    // The request of a new guest loads the changed event into memory.
    const passwordLogin = { slug: event.slug, password: 'seaside-evening' }
    const entered = await anonymous.post('/api/auth/gallery/verify', passwordLogin)
    const authorization = `Bearer ${entered.body.token}`
    expect((await anonymous.get(thumbnail, { authorization })).status).toBe(200)
    for (const route of [thumbnail, `/api/gallery/${event.slug}/photos`])
      expectProblem(await guest.get(route), 401, 'TOKEN_REVOKED')
    const oldLinkLogin = { slug: event.slug, token: event.share_token }
    expectProblem(await anonymous.post('/api/auth/gallery/share-login', oldLinkLogin), 401, 'INVALID_CREDENTIALS')
  })

  test('is not needed where one is stored, and cannot be null while one is required', async () => {
    const { id } = await createEvent(api, { require_password: true, password: 'seaside-evening' })
    expectInvalidField(await changeEvent(id, { password: null }), 'password')
    expect((await changeEvent(id, { require_password: false })).body.require_password).toBe(false)
    expect((await changeEvent(id, { require_password: true })).body.require_password).toBe(true)
  })

  test('of null changes nothing in an open event and ends no session', async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    const { body } = await changeEvent(event.id, { password: null, require_password: false })
    expect(body.share_token).toBe(event.share_token)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
  })
})
