import { type Static, Type } from 'typebox'
import { type EventSwitch, eventSwitchDefaults, eventSwitchDescriptions, eventSwitches, photoSorts } from './events.ts'
import { Nullable, OneOf, Strict, Whole } from './shapes.ts'

export const imageFileTypes = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const
export const videoFileTypes = ['mp4', 'm4v', 'mov', 'webm', 'avi'] as const

/** The file types that the service can decode. `general_allowed_file_types` is a subset of them. */
const decodableFileTypes = [...imageFileTypes, ...videoFileTypes]

const Link = (description: string) =>
  Nullable(
    Type.String({
      maxLength: 2048,
      format: 'uri',
      pattern: '^https?://',
      'x-pattern': 'must begin with http:// or https://',
    }),
    { description },
  )

const HexColor = Type.String({
  maxLength: 7,
  pattern: '^#[0-9A-Fa-f]{6}$',
  'x-pattern': 'must be # and six digits from 0 to F',
})

const switchShapes = Object.fromEntries(
  eventSwitches.map((key) => [
    `event_default_${key}`,
    Type.Boolean({
      description: `New events: ${eventSwitchDescriptions[key].replace(/^./, (first) => first.toLowerCase())}`,
    }),
  ]),
) as { [K in EventSwitch as `event_default_${K}`]: ReturnType<typeof Type.Boolean> }

const switchDefaults = Object.fromEntries(
  eventSwitches.map((key) => [`event_default_${key}`, eventSwitchDefaults[key]]),
) as { [K in EventSwitch as `event_default_${K}`]: boolean }

const Required = (field: string) => Type.Boolean({ description: `Creating an event wants ${field}` })

/** All settings. The part of a key before the first `_` is its group. */
export const settingShapes = {
  general_allowed_file_types: Type.String({
    maxLength: 200,
    pattern: `^\\s*(${decodableFileTypes.join('|')})(\\s*,\\s*(${decodableFileTypes.join('|')}))*\\s*$`,
    'x-pattern': `must be extensions with commas in between, of these: ${decodableFileTypes.join(', ')}`,
    description: 'Which files may come in: extensions with commas in between; jpg and jpeg mean each other',
  }),
  general_max_file_size_mb: Whole(
    1,
    100_000,
    'The largest photo; 1 MB is 1,048,576 bytes. Uploads that are not in chunks take 100 MB at most',
  ),
  general_max_video_size_mb: Whole(1, 100_000, 'The largest video; videos come in chunks alone'),
  general_default_expiration_days: Whole(1, 365, 'How long a gallery is open where a create gives no other time'),
  general_default_language: OneOf(['en', 'de'], {
    description: 'Of mails, and of pages for readers whose browser asks for none of our languages',
  }),
  general_auto_archive_on_expiry: Type.Boolean({
    description: 'Events are archived as soon as they have expired: their renditions are dropped, all else stays',
  }),
  event_require_event_date: Required('event_date'),
  event_require_customer_name: Required('customer_name'),
  event_require_customer_email: Required('customer_email'),
  event_require_admin_email: Required('admin_email'),
  event_require_expiration: Required('expiration_days or expires_at'),
  event_default_require_password: Type.Boolean({
    description: 'New events: a password is wanted where a create does not say otherwise',
  }),
  ...switchShapes,
  event_default_download_max_px: Nullable(Type.Integer({ minimum: 320, maximum: 20_000 }), {
    description: 'New events: the longest edge, in pixels, of what guests download; null: the original size',
  }),
  event_default_photo_cap: Whole(0, 10_000_000, 'New events: the most photos; 0 is unlimited'),
  event_default_photo_sort: OneOf(photoSorts, { description: 'New events: how guests see the photos sorted' }),
  event_app_photo_sort: OneOf(photoSorts, {
    description: 'The same, for events that are made in the admin app or by `proofroom share`',
  }),
  event_default_welcome_message: Type.String({
    maxLength: 10_000,
    description: 'New events: what guests read above the photos, as Markdown',
  }),
  event_phone_field_enabled: Type.Boolean({
    description: 'The phone number of the customer is kept; when off it is dropped silently',
  }),
  gallery_allow_slug_only: Type.Boolean({ description: 'A gallery without password opens on its slug alone' }),
  gallery_password_needs_link: Type.Boolean({ description: 'The password counts only together with the share link' }),
  gallery_keep_passwords: Type.Boolean({
    description:
      'Gallery passwords are stored encrypted, so that the owner of an event can read them again; off erases them',
  }),
  media_avif: Type.Boolean({
    description: 'Pictures to look at are AVIF for whoever names it: smaller files, several times the work',
  }),
  watermark_text: Type.String({
    maxLength: 200,
    description: 'Of events without a text of their own; when empty, the name of the studio, else that of the event',
  }),
  watermark_style: OneOf(['tiled', 'corner'], { description: 'All over the picture, or once at the lower right' }),
  watermark_opacity: Whole(5, 100, 'In percent'),
  mail_warn_of_expiry_days: Whole(
    0,
    60,
    'So many days before a gallery closes, its customer and its operator are told by mail; 0: never',
  ),
  activity_kept_days: Whole(1, 3650, 'How long it is kept who did what'),
  webhook_delivery_keep_days: Whole(1, 3650, 'How long deliveries are kept, with what was sent and answered'),
  webhook_delivery_keep_count: Whole(
    100,
    1_000_000,
    'The most deliveries that are kept of one webhook; those still to be sent stay in any case',
  ),
  branding_studio_name: Type.String({
    maxLength: 100,
    pattern: '^\\P{Cc}*$',
    'x-pattern': 'must be one line of text',
    description: 'Stands below galleries and mails, and in watermarks without a text of their own',
  }),
  branding_accent: Nullable(HexColor, {
    description: 'The colour of links and marks in galleries, such as `#7a5c3e`; null: that of the theme',
  }),
  branding_imprint_url: Link('The imprint, linked below every gallery'),
  branding_privacy_url: Link('The privacy notice, linked below every gallery'),
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
  ...switchDefaults,
  event_default_download_max_px: null,
  event_default_photo_cap: 0,
  event_default_photo_sort: 'upload_date_desc',
  event_app_photo_sort: 'capture_date_asc',
  event_default_welcome_message: '',
  event_phone_field_enabled: false,
  gallery_allow_slug_only: false,
  gallery_password_needs_link: false,
  gallery_keep_passwords: true,
  media_avif: false,
  watermark_text: '',
  watermark_style: 'tiled',
  watermark_opacity: 35,
  mail_warn_of_expiry_days: 7,
  activity_kept_days: 180,
  webhook_delivery_keep_days: 30,
  webhook_delivery_keep_count: 10_000,
  branding_studio_name: '',
  branding_accent: null,
  branding_imprint_url: null,
  branding_privacy_url: null,
}

export const publicSettingKeys = [
  'general_default_language',
  'branding_studio_name',
  'branding_accent',
  'branding_imprint_url',
  'branding_privacy_url',
] as const satisfies SettingKey[]

export const SettingsRecord = Type.Object(settingShapes, { title: 'Settings' })
export const ChangeSettingsBody = Strict(
  Object.fromEntries(Object.entries(settingShapes).map(([key, shape]) => [key, Type.Optional(shape)])) as {
    [K in SettingKey]: ReturnType<typeof Type.Optional<(typeof settingShapes)[K]>>
  },
)

/** The largest file of a multipart upload, in units of 2^20 bytes, even if `general_max_file_size_mb` is higher. */
export const multipartFileMegabytes = 100
