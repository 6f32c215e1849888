import { type Static, Type } from 'typebox'
import { type ColorLabel, colorLabels } from './color-labels.ts'
import { type AppSwitch, appSwitches, type EventSwitch, eventFeatures, eventSwitches } from './event-features.ts'
import { photoSorts } from './events.ts'
import { convertedFileTypes, imageFileTypes, videoFileTypes } from './files/file-types.ts'
import { PackagePreset } from './gallery/rounds.ts'
import { languages, sourceLanguage } from './languages.ts'
import { Nullable, OneOf, Strict, Whole } from './shapes.ts'

const allFileTypes = [...imageFileTypes, ...convertedFileTypes, ...videoFileTypes]

const Link = (description: string) =>
  Nullable(
    Type.String({
      maxLength: 2048,
      format: 'uri',
      pattern: '^https?://',
      'x-pattern': 'must start with http:// or https://',
    }),
    { description },
  )

const HexColor = Type.String({
  maxLength: 7,
  pattern: '^#[0-9A-Fa-f]{6}$',
  'x-pattern': 'must be # followed by six hexadecimal digits',
})

type SwitchSettings<Value> = { [K in EventSwitch as `event_default_${K}`]: Value }
type AppSwitchSettings<Value> = { [K in AppSwitch as `event_app_${K}`]: Value }
type Shape = ReturnType<typeof Type.Boolean>

const switchShapes = Object.fromEntries(
  eventSwitches.map((key) => {
    const description = eventFeatures[key].description.replace(/^./, (first) => first.toLowerCase())
    return [`event_default_${key}`, Type.Boolean({ description: `New events: ${description}` })]
  }),
) as SwitchSettings<Shape>

const appSwitchShapes = Object.fromEntries(
  appSwitches.map((key) => {
    const description = `The same as \`event_default_${key}\`, for events that are created in the admin app or by \`proofroom share\``
    return [`event_app_${key}`, Type.Boolean({ description })]
  }),
) as AppSwitchSettings<Shape>

const switchDefaults = Object.fromEntries(
  eventSwitches.map((key) => [`event_default_${key}`, eventFeatures[key].isOn]),
) as SwitchSettings<boolean>

const appSwitchDefaults = Object.fromEntries(
  appSwitches.map((key) => [`event_app_${key}`, eventFeatures[key].isOnInApp]),
) as AppSwitchSettings<boolean>

type ColorNameSettings<Value> = { [Color in ColorLabel as `color_name_${Color}`]: Value }

const singleLine = {
  pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
  'x-pattern': 'must be one line of text',
}

const colorNameShapes = Object.fromEntries(
  colorLabels.map((color) => {
    const description = `What people read in place of "${color}", such as "Album"; if empty, the color. Values in the API stay the same`
    return [`color_name_${color}`, Type.String({ maxLength: 30, ...singleLine, description })]
  }),
) as ColorNameSettings<ReturnType<typeof Type.String>>

const maxPackagePresets = 20

const Required = (field: string) => Type.Boolean({ description: `Required to create an event: ${field}` })

/** All settings. The part of a key before the first `_` is its group. */
export const settingShapes = {
  general_allowed_file_types: Type.String({
    maxLength: 200,
    pattern: `^\\s*(${allFileTypes.join('|')})(\\s*,\\s*(${allFileTypes.join('|')}))*\\s*$`,
    'x-pattern': `must be comma-separated extensions from this list: ${allFileTypes.join(', ')}`,
    description:
      'Allowed file types: comma-separated extensions; jpg and jpeg are equivalent, and so are heic and heif. HEIC and RAW files are shown by a JPEG that is made of them',
  }),
  general_max_file_size_mb: Whole(
    1,
    100_000,
    'Maximum size of a photo; 1 MB is 1,048,576 bytes. Uploads without chunks are limited to 100 MB',
  ),
  general_max_video_size_mb: Whole(1, 100_000, 'Maximum size of a video; videos are only uploaded in chunks'),
  general_default_expiration_days: Whole(
    1,
    365,
    'How long a gallery is open if the event is created without an expiry date',
  ),
  general_default_language: OneOf(languages, {
    description: 'Language of emails, and of pages if the browser requests no supported language',
  }),
  general_auto_archive_on_expiry: Type.Boolean({
    description: 'Archive events when they expire: their renditions are deleted, everything else is kept',
  }),
  general_read_culling_marks: Type.Boolean({
    description:
      'Uploads of operators and imports: rating and color label in the file or its XMP sidecar become own marks of the uploader; of imports, those of the owner of the event',
  }),
  event_require_event_date: Required('event_date'),
  event_require_customer_name: Required('customer_name'),
  event_require_customer_email: Required('customer_email'),
  event_require_admin_email: Required('admin_email'),
  event_require_expiration: Required('expiration_days or expires_at'),
  event_default_require_password: Type.Boolean({
    description: 'New events: a password is required unless the request specifies otherwise',
  }),
  ...switchShapes,
  event_default_download_max_px: Nullable(Type.Integer({ minimum: 320, maximum: 20_000 }), {
    description: 'New events: the longest edge of downloads, in pixels; null: the original size',
  }),
  event_default_photo_cap: Whole(0, 10_000_000, 'New events: the maximum number of photos; 0 is unlimited'),
  event_default_photo_sort: OneOf(photoSorts, { description: 'New events: the order of photos for guests' }),
  event_app_photo_sort: OneOf(photoSorts, {
    description: 'The same for events that are created in the admin app or by `proofroom share`',
  }),
  ...appSwitchShapes,
  event_default_welcome_message: Type.String({
    maxLength: 10_000,
    description: 'New events: the welcome text above the photos, as Markdown',
  }),
  event_package_presets: Type.Array(PackagePreset, {
    maxItems: maxPackagePresets,
    description: 'The packages that the admin app proposes for an event',
  }),
  event_phone_field_enabled: Type.Boolean({
    description: 'Store the phone number of the customer; if off, it is ignored',
  }),
  gallery_allow_slug_only: Type.Boolean({ description: 'A gallery without a password opens by its slug alone' }),
  gallery_password_needs_link: Type.Boolean({ description: 'The password only works together with the share link' }),
  gallery_keep_passwords: Type.Boolean({
    description: 'Store gallery passwords encrypted, so that owners of the event can read them again; off erases them',
  }),
  gallery_password_cover: Type.Boolean({
    description:
      'The password page shows the colors of the cover, too blurred to recognize anything, to those who have the share link',
  }),
  media_avif: Type.Boolean({
    description: 'Previews are AVIF for clients that accept it: smaller files, but several times the processing time',
  }),
  watermark_text: Type.String({
    maxLength: 200,
    description: 'Text for events without their own text; if empty, the name of the studio or else of the event',
  }),
  watermark_style: OneOf(['tiled', 'corner'], {
    description: 'Repeated over the whole picture, or once at the lower right',
  }),
  watermark_opacity: Whole(5, 100, 'In percent'),
  ...colorNameShapes,
  mail_warn_of_expiry_days: Whole(
    0,
    60,
    'How many days before a gallery closes its customer and its operator get an email; 0: never',
  ),
  activity_kept_days: Whole(1, 3650, 'How long the activity log is kept'),
  webhook_delivery_keep_days: Whole(1, 3650, 'How long deliveries are kept, with their requests and responses'),
  webhook_delivery_keep_count: Whole(
    100,
    1_000_000,
    'Maximum number of deliveries kept per webhook; pending deliveries are always kept',
  ),
  branding_studio_name: Type.String({
    maxLength: 100,
    ...singleLine,
    description: 'Shown below galleries and emails, and in watermarks without their own text',
  }),
  branding_accent: Nullable(HexColor, {
    description: 'The color of links and marks in galleries, such as `#7a5c3e`; null: the color of the theme',
  }),
  branding_contact_email: Nullable(Type.String({ maxLength: 254, format: 'email' }), {
    description: 'Where people can write to who cannot open a gallery; null: no link',
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
  general_default_language: sourceLanguage,
  general_auto_archive_on_expiry: false,
  general_read_culling_marks: false,
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
  ...appSwitchDefaults,
  event_default_welcome_message: '',
  event_package_presets: [],
  event_phone_field_enabled: false,
  gallery_allow_slug_only: false,
  gallery_password_needs_link: false,
  gallery_keep_passwords: true,
  gallery_password_cover: false,
  media_avif: false,
  watermark_text: '',
  watermark_style: 'tiled',
  watermark_opacity: 35,
  ...(Object.fromEntries(colorLabels.map((color) => [`color_name_${color}`, ''])) as ColorNameSettings<string>),
  mail_warn_of_expiry_days: 7,
  activity_kept_days: 180,
  webhook_delivery_keep_days: 30,
  webhook_delivery_keep_count: 10_000,
  branding_studio_name: '',
  branding_accent: null,
  branding_contact_email: null,
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

export const PublicAddressRecord = Type.Object(
  {
    url: Nullable(Type.String(), { description: 'The configured address; null: none' }),
    source: OneOf(['environment', 'app', 'sign_in', 'none'], {
      description:
        '`environment`: set by PUBLIC_URL; `sign_in`: the address at which a super_admin last signed in; ' +
        '`none`: this machine',
    }),
    link_origin: Type.String({ description: 'The start of links in mails, webhook messages and public pages' }),
  },
  { title: 'PublicAddress' },
)
export type PublicAddressRecord = Static<typeof PublicAddressRecord>

export const ChangePublicAddressBody = Strict({
  url: Nullable(Type.String({ minLength: 1, maxLength: 2048 }), {
    description: 'An address without a path, such as `https://photos.example.com`; null removes it',
  }),
})
