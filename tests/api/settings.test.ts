import { describe, expect, test } from 'vitest'
import { createEvent } from '../support/events.ts'
import { expectInvalid, expectProblem } from '../support/problems.ts'
import { serviceForFile, serviceForTest } from '../support/test-service.ts'

const service = await serviceForFile()
const { admin, anonymous } = service

const readSettings = async () => (await admin.get('/api/admin/settings')).body

test('the defaults are those of the specification', async () => {
  const fresh = await serviceForTest()
  expect((await fresh.admin.get('/api/admin/settings')).body).toMatchObject({
    general_allowed_file_types: 'jpg,jpeg,png,webp',
    general_max_file_size_mb: 100,
    general_max_video_size_mb: 500,
    general_default_expiration_days: 30,
    general_default_language: 'en',
    general_auto_archive_on_expiry: false,
    event_require_event_date: false,
    event_require_customer_name: false,
    event_require_customer_email: false,
    event_require_admin_email: false,
    event_require_expiration: false,
    event_default_require_password: true,
    event_phone_field_enabled: false,
    gallery_allow_slug_only: false,
    gallery_password_needs_link: false,
  })
})

describe('PUT /api/admin/settings', () => {
  test('takes a flat map, leaves the other keys alone and is seen by the next request', async () => {
    const before = await readSettings()
    const change = { general_max_file_size_mb: 42, event_phone_field_enabled: true }
    const answer = await admin.put('/api/admin/settings', change)
    expect(answer.status).toBe(200)
    expect(await readSettings()).toEqual({ ...before, ...change })
  })

  test('refuses an unknown key and then changes nothing', async () => {
    const before = await readSettings()
    expectInvalid(
      await admin.put('/api/admin/settings', { general_default_language: 'de', general_nonsense: 1 }),
      'general_nonsense',
    )
    expect(await readSettings()).toEqual(before)
  })

  const wrong: Array<[string, unknown]> = [
    ['general_max_file_size_mb', 0],
    ['general_max_file_size_mb', -5],
    ['general_max_file_size_mb', 1.5],
    ['general_max_file_size_mb', null],
    ['general_max_video_size_mb', 100_001],
    ['general_default_expiration_days', 0],
    ['general_default_expiration_days', 366],
    ['general_default_language', 'xx'],
    ['event_require_event_date', 'yes'],
    ['general_allowed_file_types', ''],
    ['general_allowed_file_types', 'jpg,exe'],
    ['general_allowed_file_types', 'svg'],
    ['general_allowed_file_types', ['jpg']],
    ['branding_imprint_url', 'javascript:alert(1)'],
    ['watermark_style', 'everywhere'],
    ['watermark_opacity', 4],
    ['watermark_opacity', 101],
    ['watermark_text', 'x'.repeat(201)],
    ['media_avif', 'yes'],
  ]
  test.each(wrong)('refuses %s = %j', async (key, value) => {
    const before = await readSettings()
    expectInvalid(await admin.put('/api/admin/settings', { [key]: value }), key)
    expect(await readSettings()).toEqual(before)
  })

  test('the size caps can be set up to 100000', async () => {
    const caps = { general_max_file_size_mb: 100_000, general_max_video_size_mb: 100_000 }
    expect((await admin.put('/api/admin/settings', caps)).body).toMatchObject(caps)
  })

  test('the allowed file types may hold whatever this instance can decode', async () => {
    const types = { general_allowed_file_types: 'jpg, png,gif,tiff,avif,webp' }
    expect((await admin.put('/api/admin/settings', types)).status).toBe(200)
  })
})

describe('PUT /api/admin/settings/{group}', () => {
  test('changes keys of its group', async () => {
    const answer = await admin.put('/api/admin/settings/event', { event_require_customer_name: true })
    expect(answer.status).toBe(200)
    expect(await readSettings()).toMatchObject({ event_require_customer_name: true })
    await admin.put('/api/admin/settings/event', { event_require_customer_name: false })
  })

  test('refuses keys of another group', async () => {
    const change = { event_require_customer_name: true, general_default_language: 'de' }
    expectInvalid(await admin.put('/api/admin/settings/event', change), 'general_default_language')
    expect(await readSettings()).toMatchObject({ event_require_customer_name: false, general_default_language: 'en' })
  })

  test('of no group is 404', async () => {
    expectProblem(await admin.put('/api/admin/settings/nonsense', {}), 404, 'NOT_FOUND')
  })
})

test('the public part needs no credential and tells nothing else', async () => {
  await admin.put('/api/admin/settings', { branding_studio_name: 'Studio Löwe' })
  const { status, body } = await anonymous.get('/api/public/settings')
  expect(status).toBe(200)
  expect(body).toMatchObject({ general_default_language: 'en', branding_studio_name: 'Studio Löwe' })
  expect(Object.keys(body).filter((key) => /^(event|gallery)_|max|allowed/.test(key))).toEqual([])
})

test('an event without expiration_days gets those of the setting', async () => {
  await admin.put('/api/admin/settings', { general_default_expiration_days: 7 })
  const { id } = await createEvent(service.api)
  const { expires_at, created_at } = (await service.api.get(`/api/v1/events/${id}`)).body
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBeCloseTo(7 * 86_400_000, -4)
})
