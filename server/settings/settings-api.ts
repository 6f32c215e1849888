import { Type } from 'typebox'
import {
  ChangeSettingsBody,
  publicSettingKeys,
  SettingsRecord,
  settingDefaults,
  settingShapes,
} from '../../contract/settings.ts'
import type { Http } from '../platform/http/create-http.ts'
import { Refusal } from '../platform/refusal.ts'
import type { House } from './house.ts'
import { groupOf } from './settings.ts'

const groups = new Set(Object.keys(settingDefaults).map((key) => groupOf(key as keyof typeof settingDefaults)))

export const settingsAdminApi =
  ({ settings }: House) =>
  async (app: Http) => {
    app.get(
      '/settings',
      {
        schema: { summary: 'All settings', response: { 200: SettingsRecord } },
        config: { permission: 'settings.view' },
      },
      () => settings.values(),
    )

    app.put(
      '/settings',
      {
        schema: { summary: 'Change settings', body: ChangeSettingsBody, response: { 200: SettingsRecord } },
        config: { permission: 'settings.edit' },
      },
      (request) => settings.change(request.body),
    )

    app.put(
      '/settings/:group',
      {
        schema: {
          summary: 'Change settings of one group',
          params: Type.Object({ group: Type.String({ maxLength: 50 }) }),
          body: ChangeSettingsBody,
          response: { 200: SettingsRecord },
        },
        config: { permission: 'settings.edit' },
      },
      (request) => {
        if (!groups.has(request.params.group)) throw new Refusal('NOT_FOUND')
        return settings.change(request.body, request.params.group)
      },
    )
  }

const PublicSettings = Type.Pick(Type.Object(settingShapes), publicSettingKeys)

/** Open to everybody. */
export const settingsPublicApi =
  ({ settings }: House) =>
  async (app: Http) => {
    app.get(
      '/settings',
      { schema: { summary: 'What anybody may know', response: { 200: PublicSettings } } },
      async () => {
        const { general_default_language, branding_studio_name, branding_imprint_url, branding_privacy_url } =
          await settings.values()
        return { general_default_language, branding_studio_name, branding_imprint_url, branding_privacy_url }
      },
    )
  }
