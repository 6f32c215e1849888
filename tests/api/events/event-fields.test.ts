import { describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const dayMs = 86_400_000
const service = await serviceForFile()
const { api, admin } = service

const post = (body: Record<string, unknown>) =>
  api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false, ...body })
const createAndGet = async (body: Record<string, unknown>) =>
  (await api.get(`/api/v1/events/${(await createEvent(api, body)).id}`)).body

describe('customer_phone', () => {
  test('is ignored while event_phone_field_enabled is off', async () => {
    expect((await createAndGet({ customer_phone: '+49 30 1234567' })).customer_phone).toBeNull()
  })

  test('is stored, up to 32 characters, while it is on', async () => {
    await admin.put('/api/admin/settings', { event_phone_field_enabled: true })
    const phone = '1'.repeat(32)
    expect((await createAndGet({ customer_phone: phone })).customer_phone).toBe(phone)
    expectInvalidField(await post({ customer_phone: '1'.repeat(33) }), 'customer_phone')
    await admin.put('/api/admin/settings', { event_phone_field_enabled: false })
  })
})

describe('theme and header style', () => {
  type EventType = { slug_prefix: string; theme_preset: string; header_style: string }

  test('are those that the event type recommends by default', async () => {
    const types: EventType[] = (await api.get('/api/v1/event-types')).body.eventTypes
    for (const { slug_prefix: event_type, theme_preset, header_style } of types) {
      expect(await createAndGet({ event_type })).toMatchObject({
        theme_preset,
        header_style,
        color_theme: theme_preset,
      })
    }
  })

  test('the header style follows a given preset, unless it is given itself', async () => {
    const types: EventType[] = (await api.get('/api/v1/event-types')).body.eventTypes
    for (const { theme_preset, header_style } of types) {
      expect(await createAndGet({ theme_preset })).toMatchObject({ theme_preset, header_style })
      expect(await createAndGet({ theme_preset, header_style: 'none' })).toMatchObject({ header_style: 'none' })
    }
  })
})

describe('the slug', () => {
  test('is {type}-{transliterated name}-{event_date}', async () => {
    const { slug } = await createAndGet({ event_name: 'Łucja & Jürgen: “Ja!”', event_date: '2031-07-05' })
    expect(slug).toMatch(/^wedding-lucja-(and-)?ju?e?rgen-ja-2031-07-05$/)
  })

  test.each(['💍💍', '...', '/../../etc', '名前', "'; drop table events; --", 'a'.repeat(200)])(
    'is safe in a URL for the name %j',
    async (event_name) => {
      const event = await createAndGet({ event_name })
      expect(event.slug).toMatch(/^wedding-[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(event.event_name).toBe(event_name)
      expect((await service.anonymous.get(`/api/gallery/${event.slug}/info`)).status).toBe(200)
    },
  )

  test('gets -1, -2 … if it exists', async () => {
    const body = { event_name: 'Twins', event_date: '2031-01-01' }
    const slugs = [await createAndGet(body), await createAndGet(body), await createAndGet(body)].map(({ slug }) => slug)
    expect(slugs).toEqual(['wedding-twins-2031-01-01', 'wedding-twins-2031-01-01-1', 'wedding-twins-2031-01-01-2'])
  })

  test('stays unique when twenty events of one name are created at once', async () => {
    const body = { event_name: 'Crowd', event_date: '2031-01-01' }
    const events = await Promise.all(Array.from({ length: 20 }, () => createEvent(api, body)))
    const suffixes = events.map(({ slug }) => slug.replace('wedding-crowd-2031-01-01', ''))
    const expected = ['', ...Array.from({ length: 19 }, (_, index) => `-${index + 1}`)]
    expect(suffixes.sort()).toEqual(expected.sort())
  })
})

describe('expires_at', () => {
  test('is now + 30 days by default, now + N days with expiration_days', async () => {
    for (const [body, days] of [
      [{}, 30] as const,
      [{ expiration_days: 1 }, 1] as const,
      [{ expiration_days: 365 }, 365] as const,
    ]) {
      const { created_at, expires_at } = await createAndGet(body)
      expect(Math.abs(Date.parse(expires_at) - Date.parse(created_at) - days * dayMs)).toBeLessThan(5_000)
    }
  })

  test('overrides expiration_days', async () => {
    const { expires_at } = await createAndGet({ expires_at: '2999-01-02T03:04:05Z', expiration_days: 3 })
    expect(expires_at).toBe('2999-01-02T03:04:05.000Z')
  })

  test.each([
    ['2999-01-02T03:04:05', '2999-01-02T03:04:05.000Z'],
    ['2999-01-02T03:04:05+02:00', '2999-01-02T01:04:05.000Z'],
    ['2999-01-02T03:04:05.678Z', '2999-01-02T03:04:05.678Z'],
    ['2999-01-02T03:04', '2999-01-02T03:04:00.000Z'],
  ])('input %s is %s: without a zone it is UTC', async (expires_at, expected) => {
    expect((await createAndGet({ expires_at })).expires_at).toBe(expected)
  })

  test('a bare date is the end of that day, so today is in the future', async () => {
    expect((await createAndGet({ expires_at: '2999-01-02' })).expires_at).toMatch(/^2999-01-02T23:59:59/)
    const today = new Date().toISOString().slice(0, 10)
    expect((await post({ expires_at: today })).status).toBe(201)
  })

  test.each(['2020-01-01', '2020-01-01T00:00:00Z', 'tomorrow', '2999-13-01', '2999-02-30', '', '32503680000'])(
    '%j returns 400',
    async (expires_at) => {
      expectInvalidField(await post({ expires_at }), 'expires_at')
    },
  )

  test('is compared exactly: is_active ends with it', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const { id } = await createEvent(timed.api, { expiration_days: 1 })
    const isActive = async () => (await timed.api.get(`/api/v1/events/${id}`)).body.is_active
    clock.advance(dayMs - 5_000)
    expect(await isActive()).toBe(true)
    clock.advance(6_000)
    expect(await isActive()).toBe(false)
  })
})

test('GET returns the row with photo_count, total_size, total_views and total_downloads', async () => {
  const { id } = await createEvent(api)
  const emptyTotals = { photo_count: 0, total_size: 0, total_views: 0, total_downloads: 0, cover_photo_id: null }
  expect((await api.get(`/api/v1/events/${id}`)).body).toMatchObject(emptyTotals)
  await uploadPhotos(api, id, 2)
  const { photos } = (await api.get(`/api/v1/events/${id}/photos`)).body
  const total_size = photos[0].size_bytes + photos[1].size_bytes
  expect((await api.get(`/api/v1/events/${id}`)).body).toMatchObject({ photo_count: 2, total_size })
  expect((await admin.get(`/api/admin/events/${id}`)).body).toMatchObject({ photo_count: 2, total_size })
})

test('cover_photo_id is the first visible photo by default', async () => {
  const { id } = await createEvent(api)
  const [first, second] = await uploadPhotos(api, id, 2)
  const cover = async () => (await api.get(`/api/v1/events/${id}`)).body.cover_photo_id
  expect(await cover()).toBe(first)
  await admin.patch(`/api/admin/photos/${id}/photos/${first}`, { visibility: 'hidden' })
  expect(await cover()).toBe(second)
})
