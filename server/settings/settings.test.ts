import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { type SettingKey, settingDefaults } from '../../contract/settings.ts'
import { catchAppErrorAsync } from '../../tests/support/clients/app-errors.ts'
import { contextForTest } from '../../tests/support/service/test-context.ts'
import { createSettings, settingGroup } from './settings.ts'

test('settings have default values, change by key, and persist when the app context is created again', async () => {
  const ctx = await contextForTest()
  const { settings } = ctx
  await ctx.db.insertInto('settings').values({ key: 'general_of_tomorrow', value: '1', updated_at: 0 }).execute()
  await settings.recordOrigin('https://one.example')
  expect(await settings.values()).toEqual(settingDefaults)
  const first = { general_max_file_size_mb: 20, branding_studio_name: 'Studio Ana' }
  await settings.change(first)
  const second = { branding_imprint_url: 'https://ana.example', event_require_event_date: true }
  const expected = { ...settingDefaults, ...first, ...second }
  expect(await settings.change(second)).toEqual(expected)
  expect(await settings.values()).toEqual(expected)
  expect(await createSettings(ctx).values()).toEqual(expected)
})

test('settings of one group change without affecting another, also back to null, false and an empty text', async () => {
  const { settings } = await contextForTest()
  await settings.change({ branding_imprint_url: 'https://ana.example', branding_studio_name: 'Studio' }, 'branding')
  await settings.change({ branding_imprint_url: null, branding_studio_name: '' })
  await settings.change({ event_default_require_password: false })
  const appError = await catchAppErrorAsync(() =>
    settings.change({ general_default_language: 'de', branding_studio_name: 'Studio' }, 'general'),
  )
  expect(appError?.code).toBe('VALIDATION_ERROR')
  expect(appError?.extras.details?.[0]?.path).toBe('branding_studio_name')
  expect(await settings.values()).toEqual({ ...settingDefaults, event_default_require_password: false })
})

test('settings that another process changes become visible', async () => {
  const { settings, config } = await contextForTest()
  await settings.values()
  const other = new Sqlite(join(config.dataDir, 'proofroom.db'))
  other.prepare('insert into settings values (?, ?, ?)').run('general_default_language', '"de"', Date.now())
  other.close()
  const hasChanged = async () => (await settings.values()).general_default_language === 'de'
  await vi.waitUntil(hasChanged, { timeout: 60_000, interval: 10 })
})

test('settings belong to the group at the start of their name', () => {
  const groups = new Set(Object.keys(settingDefaults).map((key) => settingGroup(key as SettingKey)))
  expect(groups).toEqual(
    new Set(['general', 'event', 'gallery', 'media', 'watermark', 'color', 'webhook', 'mail', 'activity', 'branding']),
  )
})

test('the base of stored and sent links is PUBLIC_URL if it is set, whatever origin was recorded', async () => {
  const { settings } = await contextForTest({ environment: { PUBLIC_URL: 'https://photos.example.com' } })
  await settings.recordOrigin('https://elsewhere.example')
  expect(await settings.linkOrigin()).toBe('https://photos.example.com')
})

test('the base of stored and sent links is localhost until a super_admin signs in, then the origin of the last sign-in', async () => {
  const { settings } = await contextForTest({ environment: { PORT: '8080' } })
  expect(await settings.linkOrigin()).toBe('http://localhost:8080')
  await settings.recordOrigin('https://one.example')
  await settings.recordOrigin('https://two.example')
  expect(await settings.linkOrigin()).toBe('https://two.example')
})
