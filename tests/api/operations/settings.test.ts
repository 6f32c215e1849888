import { describe, expect, test } from 'vitest'
import { eventSwitchDefaults, eventSwitches } from '../../../contract/events.ts'
import { settingDefaults, settingShapes } from '../../../contract/settings.ts'
import { warnOfExpiry } from '../../../server/events/mail/warn-of-expiry.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import {
  createMovableClock,
  serviceForFile,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, anonymous } = service

const readSettings = async () => (await admin.get('/api/admin/settings')).body

test('the defaults are those of the contract', async () => {
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

test('every setting has a valid default and a description', async () => {
  const fresh = await serviceForTest()
  expect((await fresh.admin.get('/api/admin/settings')).body).toEqual(settingDefaults)
  expect((await fresh.admin.put('/api/admin/settings', settingDefaults)).body).toEqual(settingDefaults)
  for (const [key, shape] of Object.entries(settingShapes)) {
    expect((shape as { description?: string }).description, key).toMatch(/\w+ \w+/)
  }
})

describe('PUT /api/admin/settings', () => {
  test('accepts a flat map, keeps the other keys, and applies to the next request', async () => {
    const before = await readSettings()
    const change = { general_max_file_size_mb: 42, event_phone_field_enabled: true }
    const answer = await admin.put('/api/admin/settings', change)
    expect(answer.status).toBe(200)
    expect(await readSettings()).toEqual({ ...before, ...change })
  })

  test('rejects an unknown key and changes nothing', async () => {
    const before = await readSettings()
    expectInvalidField(
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
    ['event_default_allow_comments', 'no'],
    ['event_default_download_max_px', 10],
    ['event_default_photo_cap', -1],
    ['event_default_photo_sort', 'newest'],
    ['event_default_welcome_message', 'x'.repeat(10_001)],
    ['mail_warn_of_expiry_days', 61],
    ['activity_kept_days', 0],
    ['webhook_delivery_keep_days', 0],
    ['webhook_delivery_keep_count', 99],
    ['branding_accent', 'red'],
    ['branding_logo', 'https://studio.example/logo.png'],
    ['instance_origin', 'https://evil.example'],
  ]
  test.each(wrong)('rejects %s = %j', async (key, value) => {
    const before = await readSettings()
    expectInvalidField(await admin.put('/api/admin/settings', { [key]: value }), key)
    expect(await readSettings()).toEqual(before)
  })

  test('the size limits can be set up to 100000', async () => {
    const sizeLimits = { general_max_file_size_mb: 100_000, general_max_video_size_mb: 100_000 }
    expect((await admin.put('/api/admin/settings', sizeLimits)).body).toMatchObject(sizeLimits)
  })

  test('the allowed file types may contain whatever this instance can decode', async () => {
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

  test('rejects keys of another group', async () => {
    const change = { event_require_customer_name: true, general_default_language: 'de' }
    expectInvalidField(await admin.put('/api/admin/settings/event', change), 'general_default_language')
    expect(await readSettings()).toMatchObject({ event_require_customer_name: false, general_default_language: 'en' })
  })

  test('of an unknown group is 404', async () => {
    expectProblem(await admin.put('/api/admin/settings/nonsense', {}), 404, 'NOT_FOUND')
  })
})

test('the public part requires no credential and contains nothing else', async () => {
  await admin.put('/api/admin/settings', { branding_studio_name: 'Studio Löwe' })
  const { status, body } = await anonymous.get('/api/public/settings')
  expect(status).toBe(200)
  expect(body).toMatchObject({ general_default_language: 'en', branding_studio_name: 'Studio Löwe' })
  expect(Object.keys(body).filter((key) => /^(event|gallery)_|max|allowed/.test(key))).toEqual([])
})

test('an event without expiration_days gets the default of the settings', async () => {
  await admin.put('/api/admin/settings', { general_default_expiration_days: 7 })
  const { id } = await createEvent(service.api)
  const { expires_at, created_at } = (await service.api.get(`/api/v1/events/${id}`)).body
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBeCloseTo(7 * 86_400_000, -4)
})

describe('a new event', () => {
  test('has the switches of the settings unless the request sets them', async () => {
    const others = Object.fromEntries(eventSwitches.map((key) => [key, !eventSwitchDefaults[key]]))
    const change = Object.fromEntries(eventSwitches.map((key) => [`event_default_${key}`, others[key]]))
    await admin.put('/api/admin/settings', change)
    const { id } = await createEvent(service.api)
    expect((await admin.get(`/api/admin/events/${id}`)).body).toMatchObject(others)
    const response = await createEvent(service.api, eventSwitchDefaults)
    expect((await admin.get(`/api/admin/events/${response.id}`)).body).toMatchObject(eventSwitchDefaults)
    await admin.put('/api/admin/settings', Object.fromEntries(Object.keys(change).map((key) => [key, !change[key]])))
  })

  test('has the size, number, order and greeting of the settings; null for the size means the original', async () => {
    await admin.put('/api/admin/settings', {
      event_default_download_max_px: 2048,
      event_default_photo_cap: 500,
      event_default_photo_sort: 'capture_date_asc',
      event_default_welcome_message: 'Welcome, all of you',
    })
    const { id } = await createEvent(service.api)
    expect((await admin.get(`/api/admin/events/${id}`)).body).toMatchObject({
      download_max_px: 2048,
      photo_cap: 500,
      default_photo_sort: 'capture_date_asc',
      welcome_message: 'Welcome, all of you',
    })
    const own = { download_max_px: null, photo_cap: 0, default_photo_sort: 'filename_asc', welcome_message: '' }
    const response = await createEvent(service.api, own)
    expect((await admin.get(`/api/admin/events/${response.id}`)).body).toMatchObject(own)
  })
})

test('the mails before an expiry are sent as many days before as the setting says, or never', async () => {
  const clock = createMovableClock()
  const own = await serviceForTest({ edges: { clock } })
  const warnings = async () => {
    await withAppContext(own, (ctx) => warnOfExpiry({ ...ctx, clock }))
    const mails = readDatabase(own, (stored) =>
      stored.prepare("select * from mails where kind = 'expiry_warning'").all(),
    )
    return mails.length
  }
  await own.admin.put('/api/admin/settings', { mail_warn_of_expiry_days: 0 })
  await createEvent(own.api, { customer_email: 'ana@example.com', expiration_days: 30 })
  clock.advance(20 * 86_400_000)
  expect(await warnings()).toBe(0)
  await changeSetting(own, 'mail_warn_of_expiry_days', 9)
  expect(await warnings()).toBe(0)
  await changeSetting(own, 'mail_warn_of_expiry_days', 11)
  expect(await warnings()).toBe(1)
})

/** Changes a setting without a request, because the session has expired after the test has advanced the clock. */
const changeSetting = (own: TestService, key: string, value: unknown) =>
  withAppContext(own, (ctx) => ctx.settings.change({ [key]: value }))
