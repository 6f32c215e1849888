import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Strict } from './shapes.ts'

/** What the service can decode today; the allowed types may name no others (decisions §3, "Settings"). */
export const decodableFileTypes = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const

const Link = Nullable(
  Type.String({
    maxLength: 2048,
    format: 'uri',
    pattern: '^https?://',
    'x-pattern': 'must begin with http:// or https://',
  }),
)

/** Every setting by key: its shape and its default. The part of a key before the first `_` is its group. */
export const settingShapes = {
  general_allowed_file_types: Type.String({
    maxLength: 200,
    pattern: `^\\s*(${decodableFileTypes.join('|')})(\\s*,\\s*(${decodableFileTypes.join('|')}))*\\s*$`,
    'x-pattern': `must be extensions with commas in between, of these: ${decodableFileTypes.join(', ')}`,
    description: 'Comma-separated extensions; jpg and jpeg mean each other',
  }),
  general_max_file_size_mb: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'Photos; 1 MB is 1,048,576 bytes',
  }),
  general_max_video_size_mb: Type.Integer({ minimum: 1, maximum: 100_000 }),
  general_default_expiration_days: Type.Integer({ minimum: 1, maximum: 365 }),
  general_default_language: OneOf(['en', 'de']),
  general_auto_archive_on_expiry: Type.Boolean(),
  event_require_event_date: Type.Boolean(),
  event_require_customer_name: Type.Boolean(),
  event_require_customer_email: Type.Boolean(),
  event_require_admin_email: Type.Boolean(),
  event_require_expiration: Type.Boolean(),
  event_default_require_password: Type.Boolean(),
  event_phone_field_enabled: Type.Boolean(),
  gallery_allow_slug_only: Type.Boolean({ description: 'A gallery without password opens on its slug alone' }),
  gallery_password_needs_link: Type.Boolean({ description: 'The password counts only together with the share link' }),
  media_avif: Type.Boolean({
    description: 'Pictures to look at are AVIF for whoever names it: smaller files, several times the work',
  }),
  watermark_text: Type.String({
    maxLength: 200,
    description: 'Of events without a text of their own; when empty, the name of the studio, else that of the event',
  }),
  watermark_style: OneOf(['tiled', 'corner'], { description: 'All over the picture, or once at the lower right' }),
  watermark_opacity: Type.Integer({ minimum: 5, maximum: 100, description: 'In percent' }),
  branding_studio_name: Type.String({ maxLength: 100 }),
  branding_imprint_url: Link,
  branding_privacy_url: Link,
}

export type SettingKey = keyof typeof settingShapes
export type SettingValues = { [K in SettingKey]: Static<(typeof settingShapes)[K]> }

export const settingDefaults: SettingValues = {
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
  media_avif: false,
  watermark_text: '',
  watermark_style: 'tiled',
  watermark_opacity: 35,
  branding_studio_name: '',
  branding_imprint_url: null,
  branding_privacy_url: null,
}

/** What anybody may know. */
export const publicSettingKeys = [
  'general_default_language',
  'branding_studio_name',
  'branding_imprint_url',
  'branding_privacy_url',
] as const satisfies SettingKey[]

export const SettingsRecord = Type.Object(settingShapes)
export const ChangeSettingsBody = Strict(
  Object.fromEntries(Object.entries(settingShapes).map(([key, shape]) => [key, Type.Optional(shape)])) as {
    [K in SettingKey]: ReturnType<typeof Type.Optional<(typeof settingShapes)[K]>>
  },
)

/** The multipart doors never take more than this, whatever the setting says (interface, "Limits"). */
export const multipartFileMegabytes = 100
