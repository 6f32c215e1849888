import { describe, expect, test } from 'vitest'
import { eventSwitches, mapSwitches } from '../../../contract/event-features.ts'
import { settingDefaults, settingShapes } from '../../../contract/settings.ts'
import { days } from '../../../server/platform/time/clock.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, anonymous } = service

const readSettings = async () => (await admin.get('/api/admin/settings')).body

test('every setting has a valid default, which is that of the contract, and a description', async () => {
  const defaults = await readSettings()
  expect(defaults).toMatchObject({
    ...{ general_allowed_file_types: 'jpg,jpeg,png,webp', general_default_language: 'en' },
    ...{ general_max_file_size_mb: 100, general_max_video_size_mb: 500, general_default_expiration_days: 30 },
    ...{ event_require_event_date: false, event_require_customer_name: false, event_require_customer_email: false },
    ...{ event_require_admin_email: false, event_require_expiration: false, event_phone_field_enabled: false },
    ...{ event_default_require_password: true, general_auto_archive_on_expiry: false },
    ...{ gallery_allow_slug_only: false, gallery_password_needs_link: false },
  })
  expect(defaults).toEqual(settingDefaults)
  expect((await admin.put('/api/admin/settings', settingDefaults)).body).toEqual(settingDefaults)
  for (const [key, shape] of Object.entries(settingShapes)) {
    expect((shape as { description?: string }).description, key).toMatch(/\w+ \w+/)
  }
})

describe('PUT /api/admin/settings', () => {
  test('accepts a flat map, keeps the other keys, and applies to the next request', async () => {
    const before = await readSettings()
    const change = {
      event_phone_field_enabled: true,
      general_max_file_size_mb: 100_000,
      general_max_video_size_mb: 100_000,
      // All that this instance can decode.
      general_allowed_file_types: 'jpg, png,gif,tiff,avif,webp',
    }
    expect((await admin.put('/api/admin/settings', change)).status).toBe(200)
    expect(await readSettings()).toEqual({ ...before, ...change })
  })

  test('rejects an unknown key or an invalid value, and changes nothing', async () => {
    const invalid: Record<string, unknown[]> = {
      general_nonsense: [1],
      general_max_file_size_mb: [0, 1.5, null],
      general_max_video_size_mb: [100_001],
      general_default_expiration_days: [0, 366],
      general_default_language: ['xx'],
      general_allowed_file_types: ['', 'jpg,exe', 'svg', ['jpg']],
      event_require_event_date: ['yes'],
      event_default_download_max_px: [10],
      event_default_photo_cap: [-1],
      event_default_photo_sort: ['newest'],
      event_default_welcome_message: ['x'.repeat(10_001)],
      watermark_style: ['everywhere'],
      watermark_opacity: [4, 101],
      watermark_text: ['x'.repeat(201)],
      mail_warn_of_expiry_days: [61],
      activity_kept_days: [0],
      webhook_delivery_keep_days: [0],
      webhook_delivery_keep_count: [99],
      branding_imprint_url: ['javascript:alert(1)'],
      branding_accent: ['red'],
      branding_logo: ['https://studio.example/logo.png'],
      instance_origin: ['https://evil.example'],
    }
    const before = await readSettings()
    for (const [key, values] of Object.entries(invalid)) {
      for (const value of values) {
        const change = { general_default_language: 'de', [key]: value }
        expectInvalidField(await admin.put('/api/admin/settings', change), key)
      }
    }
    expect(await readSettings()).toEqual(before)
  })
})

test('PUT /api/admin/settings/{group} changes keys of its group only', async () => {
  const change = { event_require_customer_name: true }
  expect((await admin.put('/api/admin/settings/event', change)).status).toBe(200)
  expect(await readSettings()).toMatchObject(change)
  const mixed = { event_require_customer_name: false, general_default_language: 'de' }
  expectInvalidField(await admin.put('/api/admin/settings/event', mixed), 'general_default_language')
  expect(await readSettings()).toMatchObject({ ...change, general_default_language: 'en' })
  expectProblem(await admin.put('/api/admin/settings/nonsense', {}), 404, 'NOT_FOUND')
  await admin.put('/api/admin/settings/event', { event_require_customer_name: false })
})

test('the public part requires no credential and contains nothing else', async () => {
  await admin.put('/api/admin/settings', { branding_studio_name: 'Studio Löwe' })
  const { status, body } = await anonymous.get('/api/public/settings')
  expect(status).toBe(200)
  expect(body).toMatchObject({ general_default_language: 'en', branding_studio_name: 'Studio Löwe' })
  expect(Object.keys(body).filter((key) => /^(event|gallery)_|max|allowed/.test(key))).toEqual([])
})

const switchDefaults = mapSwitches((_, { isOn }) => isOn)

describe('a new event', () => {
  const load = async (body: object = {}) => {
    const { id } = await createEvent(service.api, { ...body })
    return (await admin.get(`/api/admin/events/${id}`)).body
  }

  test('has the switches of the settings unless the request sets them', async () => {
    const others = Object.fromEntries(eventSwitches.map((key) => [key, !switchDefaults[key]]))
    const change = Object.fromEntries(eventSwitches.map((key) => [`event_default_${key}`, others[key]]))
    await admin.put('/api/admin/settings', change)
    expect(await load()).toMatchObject(others)
    expect(await load(switchDefaults)).toMatchObject(switchDefaults)
    await admin.put('/api/admin/settings', Object.fromEntries(Object.keys(change).map((key) => [key, !change[key]])))
  })

  test('has the expiry, size, number, order and greeting of the settings unless the request sets them', async () => {
    await admin.put('/api/admin/settings', {
      general_default_expiration_days: 7,
      event_default_download_max_px: 2048,
      event_default_photo_cap: 500,
      event_default_photo_sort: 'capture_date_asc',
      event_default_welcome_message: 'Welcome, all of you',
    })
    const { expires_at, created_at, ...event } = await load()
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBeCloseTo(days(7), -4)
    const limits = { download_max_px: 2048, photo_cap: 500 }
    const texts = { default_photo_sort: 'capture_date_asc', welcome_message: 'Welcome, all of you' }
    expect(event).toMatchObject({ ...limits, ...texts })
    // A size of null means the original.
    const own = { download_max_px: null, photo_cap: 0, default_photo_sort: 'filename_asc', welcome_message: '' }
    expect(await load(own)).toMatchObject(own)
  })
})
