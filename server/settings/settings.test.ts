import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test, vi } from 'vitest'
import { type SettingKey, settingDefaults } from '../../contract/settings.ts'
import { catchAppErrorAsync } from '../../tests/support/clients/app-errors.ts'
import { contextForTest } from '../../tests/support/service/test-context.ts'
import { createSettings, settingGroup } from './settings.ts'

describe('settings', () => {
  test('have default values', async () => {
    const { settings } = await contextForTest()
    expect(await settings.values()).toEqual(settingDefaults)
  })

  test('change by key without affecting others', async () => {
    const { settings } = await contextForTest()
    await settings.change({ general_max_file_size_mb: 20, branding_studio_name: 'Studio Ana' })
    const changed = await settings.change({
      branding_imprint_url: 'https://ana.example',
      event_require_event_date: true,
    })
    const expected = {
      ...settingDefaults,
      general_max_file_size_mb: 20,
      branding_studio_name: 'Studio Ana',
      branding_imprint_url: 'https://ana.example',
      event_require_event_date: true,
    }
    expect(changed).toEqual(expected)
    expect(await settings.values()).toEqual(expected)
  })

  test('can be set back to null, zero, false and an empty text', async () => {
    const { settings } = await contextForTest()
    await settings.change({ branding_imprint_url: 'https://ana.example', branding_studio_name: 'Studio' })
    await settings.change({
      event_default_require_password: false,
      branding_imprint_url: null,
      branding_studio_name: '',
    })
    expect(await settings.values()).toEqual({ ...settingDefaults, event_default_require_password: false })
  })

  test('persist when the app context is created again', async () => {
    const ctx = await contextForTest()
    await ctx.settings.change({ general_default_language: 'de' })
    expect((await createSettings(ctx).values()).general_default_language).toBe('de')
  })

  test('of one group change without affecting another', async () => {
    const { settings } = await contextForTest()
    await settings.change({ general_default_language: 'de' }, 'general')
    const appError = await catchAppErrorAsync(() =>
      settings.change({ general_default_language: 'en', branding_studio_name: 'Studio' }, 'general'),
    )
    expect(appError?.code).toBe('VALIDATION_ERROR')
    expect(appError?.extras.details?.[0]?.path).toBe('branding_studio_name')
    expect((await settings.values()).general_default_language).toBe('de')
  })

  test('that another process changes become visible', async () => {
    const { settings, config } = await contextForTest()
    await settings.values()
    const other = new Sqlite(join(config.dataDir, 'proofroom.db'))
    other.prepare('insert into settings values (?, ?, ?)').run('general_default_language', '"de"', Date.now())
    other.close()
    const hasChanged = async () => (await settings.values()).general_default_language === 'de'
    await vi.waitUntil(hasChanged, { timeout: 60_000, interval: 10 })
  })

  test('of a newer or older version are ignored', async () => {
    const { settings, db } = await contextForTest()
    await db.insertInto('settings').values({ key: 'general_of_tomorrow', value: '1', updated_at: 0 }).execute()
    expect(await settings.values()).toEqual(settingDefaults)
  })

  test('belong to the group at the start of their name', () => {
    const groups = new Set(Object.keys(settingDefaults).map((key) => settingGroup(key as SettingKey)))
    expect(groups).toEqual(
      new Set(['general', 'event', 'gallery', 'media', 'watermark', 'webhook', 'mail', 'activity', 'branding']),
    )
  })
})

describe('the base of stored and sent links', () => {
  test('is PUBLIC_URL if it is set, whatever origin was recorded', async () => {
    const { settings } = await contextForTest({ environment: { PUBLIC_URL: 'https://photos.example.com' } })
    await settings.recordOrigin('https://elsewhere.example')
    expect(await settings.linkOrigin()).toBe('https://photos.example.com')
  })

  test('is localhost until a super_admin signs in, then the origin of the last sign-in', async () => {
    const { settings } = await contextForTest({ environment: { PORT: '8080' } })
    expect(await settings.linkOrigin()).toBe('http://localhost:8080')
    await settings.recordOrigin('https://one.example')
    await settings.recordOrigin('https://two.example')
    expect(await settings.linkOrigin()).toBe('https://two.example')
  })

  test('is not visible as a setting', async () => {
    const { settings } = await contextForTest()
    await settings.recordOrigin('https://one.example')
    expect(await settings.values()).toEqual(settingDefaults)
  })
})
