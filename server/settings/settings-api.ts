import { Type } from 'typebox'
import {
  ChangeSettingsBody,
  publicSettingKeys,
  SettingsRecord,
  settingDefaults,
  settingShapes,
} from '../../contract/settings.ts'
import { Nullable } from '../../contract/shapes.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from './app-context.ts'
import { logoPath } from './branding.ts'
import { settingGroup } from './settings.ts'

const tags = ['settings']
const groups = new Set(Object.keys(settingDefaults).map((key) => settingGroup(key as keyof typeof settingDefaults)))

export const settingsAdminApi =
  ({ settings }: AppContext) =>
  async (app: Http) => {
    app.get(
      '/settings',
      {
        schema: { operationId: 'getSettings', tags, summary: 'Get all settings', response: { 200: SettingsRecord } },
        config: { permission: 'settings.view' },
      },
      () => settings.values(),
    )

    app.put(
      '/settings',
      {
        schema: {
          operationId: 'changeSettings',
          tags,
          summary: 'Change settings',
          body: ChangeSettingsBody,
          response: { 200: SettingsRecord },
        },
        config: { permission: 'settings.edit' },
      },
      (request) => settings.change(request.body),
    )

    app.put(
      '/settings/:group',
      {
        schema: {
          operationId: 'changeSettingsGroup',
          tags,
          summary: 'Change settings of one group',
          params: Type.Object({ group: Type.String({ maxLength: 50 }) }),
          body: ChangeSettingsBody,
          response: { 200: SettingsRecord },
        },
        config: { permission: 'settings.edit' },
      },
      (request) => {
        if (!groups.has(request.params.group)) throw new AppError('NOT_FOUND')
        return settings.change(request.body, request.params.group)
      },
    )
  }

const PublicSettings = Type.Object(
  {
    ...Type.Pick(Type.Object(settingShapes), publicSettingKeys).properties,
    branding_logo_url: Nullable(Type.String(), { description: 'The path of the logo, or null without a logo' }),
    recaptcha_site_key: Nullable(Type.String(), { description: 'For the sign-in page, or null without reCAPTCHA' }),
  },
  { title: 'PublicSettings' },
)

export const settingsPublicApi =
  ({ settings, config }: AppContext) =>
  async (app: Http) => {
    app.get(
      '/settings',
      {
        schema: {
          operationId: 'getPublicSettings',
          tags,
          summary: 'Get the public settings',
          response: { 200: PublicSettings },
        },
      },
      async () => {
        const values = await settings.values()
        const logo = await settings.logo()
        return {
          general_default_language: values.general_default_language,
          recaptcha_site_key: config.recaptchaSecretKey === null ? null : config.recaptchaSiteKey,
          branding_studio_name: values.branding_studio_name,
          branding_accent: values.branding_accent,
          branding_imprint_url: values.branding_imprint_url,
          branding_privacy_url: values.branding_privacy_url,
          branding_logo_url: logo && logoPath,
        }
      },
    )
  }
