import { describe, expect, test } from 'vitest'
import { days } from '../../../server/platform/time/clock.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service

const post = (body: Record<string, unknown>) =>
  api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false, ...body })
const getEvent = async (id: number) => (await api.get(`/api/v1/events/${id}`)).body
const createAndGet = async (body: Record<string, unknown>) => getEvent((await createEvent(api, body)).id)
const changeSettings = (change: Record<string, unknown>) => admin.put('/api/admin/settings', change)

describe('fields that settings require', () => {
  const required = {
    event_date: ['event_require_event_date', '2031-07-05'],
    customer_name: ['event_require_customer_name', 'Cleo'],
    customer_email: ['event_require_customer_email', 'cleo@example.com'],
    admin_email: ['event_require_admin_email', 'studio@example.com'],
    expiration_days: ['event_require_expiration', 10],
  } as const
  const switchAll = (value: boolean) =>
    changeSettings(Object.fromEntries(Object.values(required).map(([setting]) => [setting, value])))

  test('are required only while their setting is on, and are not blank', async () => {
    for (const [field, [setting, value]] of Object.entries(required)) {
      await changeSettings({ [setting]: true })
      const missing = typeof value === 'string' ? [undefined, null, '  '] : [undefined, null]
      for (const one of missing) expectInvalidField(await post({ [field]: one }), field)
      expect((await post({ [field]: value })).status, field).toBe(201)
      await changeSettings({ [setting]: false })
      expect((await post({})).status, field).toBe(201)
    }
  })

  test('are reported at once, and satisfied by an older name or an expires_at', async () => {
    await switchAll(true)
    const { body } = await post({ allow_user_uploads: true })
    const names = { event_date: '2031-07-05', admin_email: 'a@example.com', host_name: 'Dora', host_email: 'd@e.com' }
    const { status } = await post({ ...names, expires_at: '2999-01-01' })
    await switchAll(false)
    const reportedPaths = body.details.map(({ path }: { path: string }) => path)
    expect([reportedPaths, status]).toEqual([[...Object.keys(required), 'upload_category_id'], 201])
  })

  test('include upload_category_id with allow_user_uploads, which must be usable', async () => {
    expectInvalidField(await post({ allow_user_uploads: true }), 'upload_category_id')
    const other = await createEvent(api)
    const { body } = await admin.post('/api/admin/categories', { name: 'Theirs', event_id: other.id })
    for (const upload_category_id of [999_999, body.id])
      expectProblem(await post({ allow_user_uploads: true, upload_category_id }), 400, 'INVALID_CATEGORY')
  })
})

test('customer_phone is stored, up to 32 characters, only while event_phone_field_enabled is on', async () => {
  const phone = '1'.repeat(32)
  const { id, customer_phone } = await createAndGet({ customer_phone: phone })
  expect(customer_phone).toBeNull()
  await changeSettings({ event_phone_field_enabled: true })
  expect((await createAndGet({ customer_phone: phone })).customer_phone).toBe(phone)
  expectInvalidField(await post({ customer_phone: `${phone}1` }), 'customer_phone')
  const change = (value: string | null) => api.patch(`/api/v1/events/${id}`, { customer_phone: value })
  expect((await change(phone)).body.customer_phone).toBe(phone)
  await changeSettings({ event_phone_field_enabled: false })
  // A stored number can still be removed.
  expect((await change('+49 30 5678')).body.customer_phone).toBe(phone)
  expect((await change(null)).body.customer_phone).toBeNull()
})

test('theme and header style are those of the event type; the header style follows a given theme', async () => {
  const { eventTypes } = (await api.get('/api/v1/event-types')).body
  for (const { slug_prefix: event_type, theme_preset, header_style } of eventTypes) {
    const recommended = { theme_preset, header_style, color_theme: theme_preset }
    expect(await createAndGet({ event_type })).toMatchObject(recommended)
    expect(await createAndGet({ theme_preset })).toMatchObject({ theme_preset, header_style })
  }
  const { theme_preset } = eventTypes[0]
  expect(await createAndGet({ theme_preset, header_style: 'none' })).toMatchObject({ header_style: 'none' })
})

describe('the slug', () => {
  test('opens the gallery, whatever the name', async () => {
    for (const event_name of ['💍💍', '/../../etc', '名前', "'; drop table events; --", 'a'.repeat(200)]) {
      const event = await createAndGet({ event_name })
      expect(event.slug).toMatch(/^wedding-[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(event.event_name).toBe(event_name)
      expect((await service.anonymous.get(`/api/gallery/${event.slug}/info`)).status, event_name).toBe(200)
    }
  })

  test('gets -1, -2 … if it exists, also for twenty events of one name at once', { tags: 'database' }, async () => {
    const body = { event_name: 'Crowd', event_date: '2031-01-01' }
    const events = await Promise.all(Array.from({ length: 20 }, () => createEvent(api, body)))
    const suffixes = events.map(({ slug }) => slug.replace('wedding-crowd-2031-01-01', ''))
    const expected = ['', ...Array.from({ length: 19 }, (_, index) => `-${index + 1}`)]
    expect(suffixes.sort()).toEqual(expected.sort())
  })
})

describe('expires_at', () => {
  test('is 30 days from now by default, N days with expiration_days, and overrides expiration_days', async () => {
    for (const expiration_days of [undefined, 1, 365]) {
      const { created_at, expires_at } = await createAndGet({ expiration_days })
      const lasts = Date.parse(expires_at) - Date.parse(created_at)
      expect(Math.abs(lasts - days(expiration_days ?? 30))).toBeLessThan(5_000)
    }
    const fields = { expires_at: '2999-01-02T03:04:05', expiration_days: 3 }
    expect((await createAndGet(fields)).expires_at).toBe('2999-01-02T03:04:05.000Z')
    expect((await createAndGet({ expires_at: '2999-01-02' })).expires_at).toBe('2999-01-02T23:59:59.999Z')
  })

  test('must be a time in the future', async () => {
    for (const expires_at of ['2020-01-01', 'tomorrow', '2999-02-30', ''])
      expectInvalidField(await post({ expires_at }), 'expires_at')
  })

  test('is compared exactly: is_active ends with it', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const { id } = await createEvent(timed.api, { expiration_days: 1 })
    const isActive = async () => (await timed.api.get(`/api/v1/events/${id}`)).body.is_active
    clock.advance(days(1) - 5_000)
    expect(await isActive()).toBe(true)
    clock.advance(6_000)
    expect(await isActive()).toBe(false)
  })
})

test('GET returns the row with its totals, and the first visible photo as the cover', async () => {
  const { id } = await createEvent(api)
  const emptyTotals = { photo_count: 0, total_size: 0, total_views: 0, total_downloads: 0, cover_photo_id: null }
  expect(await getEvent(id)).toMatchObject(emptyTotals)
  const [first, second] = await uploadPhotos(api, id, 2)
  const { photos } = (await api.get(`/api/v1/events/${id}/photos`)).body
  const total_size = photos[0].size_bytes + photos[1].size_bytes
  expect(await getEvent(id)).toMatchObject({ photo_count: 2, total_size, cover_photo_id: first })
  expect((await admin.get(`/api/admin/events/${id}`)).body).toMatchObject({ photo_count: 2, total_size })
  await admin.patch(`/api/admin/photos/${id}/photos/${first}`, { visibility: 'hidden' })
  expect((await getEvent(id)).cover_photo_id).toBe(second)
})
