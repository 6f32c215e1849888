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
    [{ event_date: '2026-07-01' }, { event_date: '2026-07-01' }],
    [{ event_date: null }, { event_date: null }],
    [{ customer_name: ' Ana ' }, { customer_name: 'Ana' }],
    [
      { customer_name: '', customer_email: '', admin_email: '' },
      { customer_name: null, customer_email: null, admin_email: null },
    ],
    [
      { host_name: 'Ben', host_email: 'ben@example.com' },
      { customer_name: 'Ben', customer_email: 'ben@example.com' },
    ],
    [{ admin_email: 'studio@example.com' }, { admin_email: 'studio@example.com' }],
    [{ welcome_message: 'Hello' }, { welcome_message: 'Hello' }],
    [{ welcome_message: null }, { welcome_message: '' }],
    [{ photo_cap: 7 }, { photo_cap: 7 }],
    [{ theme_preset: 'noir' }, { theme_preset: 'noir', color_theme: 'noir' }],
    [{ color_theme: 'coast' }, { theme_preset: 'coast', color_theme: 'coast' }],
    [{ header_style: 'none' }, { header_style: 'none' }],
    [{ default_photo_sort: 'filename_asc' }, { default_photo_sort: 'filename_asc' }],
    [
      { allow_downloads: false, feedback_enabled: false },
      { allow_downloads: false, feedback_enabled: false },
    ],
    [
      { watermark_text: '© Studio', download_max_px: 2000 },
      { watermark_text: '© Studio', download_max_px: 2000 },
    ],
    [{ expires_at: '2099-01-31' }, { expires_at: '2099-01-31T23:59:59.999Z' }],
    [{ reveal_at: '2099-01-01T10:00:00' }, { reveal_at: '2099-01-01T10:00:00.000Z' }],
    [{ event_type: 'birthday' }, { event_type: 'birthday' }],
    [{ is_draft: false }, {}],
    [{}, {}],
  ]

  test.each(changes)('%j', async (body, expected) => {
    const { id } = await createEvent(api, { event_date: '2026-06-20' })
    const before = await getEvent(id)
    const answer = await changeEvent(id, body)
    expect(answer.status).toBe(200)
    const { updated_at, ...rest } = before
    expect(answer.body).toMatchObject({ ...rest, ...expected, updated_at: expect.any(String) })
    expect(await getEvent(id)).toEqual(answer.body)
    const byAdmin = await admin.patch(`/api/admin/events/${id}`, body)
    expect(byAdmin.status).toBe(200)
  })
})

describe('PATCH rejects', () => {
  test.each([
    [{ id: 5 }, 'id'],
    [{ slug: 'other' }, 'slug'],
    [{ share_token: 'abc' }, 'share_token'],
    [{ wrong_key: 1 }, 'wrong_key'],
    [{ event_name: '' }, 'event_name'],
    [{ event_name: 7 }, 'event_name'],
    [{ event_date: '2026-02-30' }, 'event_date'],
    [{ event_type: 'nothing' }, 'event_type'],
    [{ theme_preset: 'nothing' }, 'theme_preset'],
    [{ password: '123456' }, 'password'],
    [{ require_password: true }, 'password'],
    [{ allow_user_uploads: true }, 'upload_category_id'],
    [{ expires_at: '2020-01-01' }, 'expires_at'],
    [{ expires_at: null }, 'expires_at'],
    [{ expires_at: '9999-12-31T23:59:59-14:00' }, 'expires_at'],
    [{ expiration_days: 366 }, 'expiration_days'],
  ])('%j', async (body, field) => {
    const { id } = await createEvent(api)
    const before = await getEvent(id)
    expectInvalidField(await changeEvent(id, body), field)
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
    expectInvalidField(await changeEvent(id, { host_name: null }), 'customer_name')
    await admin.put('/api/admin/settings', { event_require_customer_name: false })
    expect((await changeEvent(id, { customer_name: null })).status).toBe(200)
  })
})

test('a stored phone number can be removed, whatever the setting', async () => {
  await admin.put('/api/admin/settings', { event_phone_field_enabled: true })
  const { id } = await createEvent(api, { customer_phone: '+49 30 1234' })
  await admin.put('/api/admin/settings', { event_phone_field_enabled: false })
  expect((await changeEvent(id, { customer_phone: '+49 30 5678' })).body.customer_phone).toBe('+49 30 1234')
  expect((await changeEvent(id, { customer_phone: null })).body.customer_phone).toBeNull()
})

describe('a new password', () => {
  test('creates a new share link and ends every guest session at once', async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
    const { body } = await changeEvent(event.id, { require_password: true, password: 'seaside-evening' })
    expect(body.share_token).not.toBe(event.share_token)
    expect(body.share_url).toContain(body.share_token)
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photos`), 401, 'TOKEN_REVOKED')
    const oldLinkLogin = { slug: event.slug, token: event.share_token }
    expectProblem(await anonymous.post('/api/auth/gallery/share-login', oldLinkLogin), 401, 'INVALID_CREDENTIALS')
    const passwordLogin = { slug: event.slug, password: 'seaside-evening' }
    expect((await anonymous.post('/api/auth/gallery/verify', passwordLogin)).status).toBe(200)
  })

  test('also blocks thumbnails that are cached in memory', async () => {
    const event = await createEvent(api)
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    const thumbnail = `/api/gallery/${event.slug}/thumbnail/${photoId}`
    for (let index = 0; index < 3; index++) expect((await guest.get(thumbnail)).status).toBe(200)
    await changeEvent(event.id, { require_password: true, password: 'seaside-evening' })
    // The request of a new guest loads the changed event into memory.
    const passwordLogin = { slug: event.slug, password: 'seaside-evening' }
    const { body } = await anonymous.post('/api/auth/gallery/verify', passwordLogin)
    const authorization = `Bearer ${body.token}`
    expect((await anonymous.get(thumbnail, { authorization })).status).toBe(200)
    expectProblem(await guest.get(thumbnail), 401, 'TOKEN_REVOKED')
  })

  test('that is stored can be required again without sending it', async () => {
    const { id } = await createEvent(api, { require_password: true, password: 'seaside-evening' })
    expect((await changeEvent(id, { require_password: false })).body.require_password).toBe(false)
    expect((await changeEvent(id, { require_password: true })).body.require_password).toBe(true)
  })

  test('of null changes nothing in an open event and ends no session', async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    expect((await changeEvent(event.id, { password: null, require_password: false })).body.share_token).toBe(
      event.share_token,
    )
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
  })

  test('of null is rejected in a protected event', async () => {
    const { id } = await createEvent(api, { require_password: true, password: 'seaside-evening' })
    expectInvalidField(await changeEvent(id, { password: null }), 'password')
  })
})
