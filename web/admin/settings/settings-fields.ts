import { colorLabels } from '../../../contract/color-labels.ts'
import {
  type AppSwitch,
  type EventSwitch,
  type FeatureGroup,
  isAppSwitch,
  rankSwitches,
} from '../../../contract/event-features.ts'
import { heicFileTypes, rawFileTypes, splitFileTypes } from '../../../contract/files/file-types.ts'
import { languages } from '../../../contract/languages.ts'
import type { Schemas } from '../api/api.ts'

export type Settings = Schemas['Settings']
export type SettingKey = keyof Settings

type Kind =
  | { kind: 'switch' }
  | { kind: 'number'; min: number; max: number; isOptional?: true }
  | { kind: 'text'; maxLength: number; isMultiline?: true }
  | { kind: 'file_types' }
  | { kind: 'link' }
  | { kind: 'choice'; choices: readonly string[] }

/** The form field of a setting. Its bounds repeat those of the contract, which the server checks. */
export type SettingField = Kind & { key: SettingKey }

const photoSorts = [
  'upload_date_desc',
  'upload_date_asc',
  'capture_date_desc',
  'capture_date_asc',
  'filename_asc',
  'filename_desc',
]

type SwitchSetting = { key: `event_default_${EventSwitch}` | `event_app_${AppSwitch}`; kind: 'switch' }

/** The settings of new events for the switches of these groups. */
const switchesFor = (...groups: FeatureGroup[]): SwitchSetting[] =>
  rankSwitches(...groups).flatMap((key): SwitchSetting[] => [
    ...(isAppSwitch(key) ? [{ key: `event_app_${key}`, kind: 'switch' } as const] : []),
    { key: `event_default_${key}`, kind: 'switch' },
  ])

export const settingPages = {
  general: {
    files: [
      { key: 'general_allowed_file_types', kind: 'file_types' },
      { key: 'general_max_file_size_mb', kind: 'number', min: 1, max: 100_000 },
      { key: 'general_max_video_size_mb', kind: 'number', min: 1, max: 100_000 },
      { key: 'general_read_culling_marks', kind: 'switch' },
    ],
    expiry: [
      { key: 'general_default_expiration_days', kind: 'number', min: 1, max: 365 },
      { key: 'general_auto_archive_on_expiry', kind: 'switch' },
      { key: 'mail_warn_of_expiry_days', kind: 'number', min: 0, max: 60 },
    ],
    language: [{ key: 'general_default_language', kind: 'choice', choices: languages }],
  },
  events: {
    required: [
      { key: 'event_require_event_date', kind: 'switch' },
      { key: 'event_require_customer_name', kind: 'switch' },
      { key: 'event_require_customer_email', kind: 'switch' },
      { key: 'event_require_admin_email', kind: 'switch' },
      { key: 'event_require_expiration', kind: 'switch' },
      { key: 'event_phone_field_enabled', kind: 'switch' },
    ],
    access: [{ key: 'event_default_require_password', kind: 'switch' }],
    look: [
      { key: 'event_app_photo_sort', kind: 'choice', choices: photoSorts },
      { key: 'event_default_photo_sort', kind: 'choice', choices: photoSorts },
      { key: 'event_default_welcome_message', kind: 'text', maxLength: 10_000, isMultiline: true },
    ],
    downloads: [
      ...switchesFor('downloads'),
      { key: 'event_default_download_max_px', kind: 'number', min: 320, max: 20_000, isOptional: true },
    ],
    uploads: [...switchesFor('uploads'), { key: 'event_default_photo_cap', kind: 'number', min: 0, max: 10_000_000 }],
    feedback: switchesFor('feedback', 'kinds'),
  },
  galleries: {
    entering: [
      { key: 'gallery_allow_slug_only', kind: 'switch' },
      { key: 'gallery_password_needs_link', kind: 'switch' },
      { key: 'gallery_keep_passwords', kind: 'switch' },
      { key: 'gallery_password_cover', kind: 'switch' },
    ],
    watermark: [
      { key: 'watermark_text', kind: 'text', maxLength: 200 },
      { key: 'watermark_style', kind: 'choice', choices: ['tiled', 'corner'] },
      { key: 'watermark_opacity', kind: 'number', min: 5, max: 100 },
    ],
    pictures: [{ key: 'media_avif', kind: 'switch' }],
    colors: colorLabels.map((color): SettingField => ({ key: `color_name_${color}`, kind: 'text', maxLength: 30 })),
  },
  keeping: {
    kept: [{ key: 'activity_kept_days', kind: 'number', min: 1, max: 3650 }],
  },
  integrations: {
    deliveries: [
      { key: 'webhook_delivery_keep_days', kind: 'number', min: 1, max: 3650 },
      { key: 'webhook_delivery_keep_count', kind: 'number', min: 100, max: 1_000_000 },
    ],
  },
} as const satisfies Record<string, Record<string, readonly SettingField[]>>

export type SettingPage = keyof typeof settingPages

export const isSettingPage = (name: string): name is SettingPage => Object.hasOwn(settingPages, name)

export const listGroups = (page: SettingPage): Array<[group: string, fields: readonly SettingField[]]> =>
  Object.entries(settingPages[page])

/** Returns the settings that differ from `now`. Empty numbers and empty links are null. */
export function diffSettings(form: FormData, fields: readonly SettingField[], now: Settings): Partial<Settings> {
  const values = fields.map((field) => [field, readField(form, field)] as const)
  const changed = values.filter(([field, value]) => value !== normalizeValue(field, now[field.key]))
  return Object.fromEntries(changed.map(([{ key }, value]) => [key, value])) as Partial<Settings>
}

/** Normalizes lists of extensions, so that a different spelling or order is not a change. */
const normalizeValue = <Value>(field: SettingField, value: Value): Value | string =>
  field.kind === 'file_types'
    ? listFileTypes(String(value))
        .flatMap(({ extensions }) => extensions)
        .join(',')
    : value

function readField(form: FormData, field: SettingField): string | number | boolean | null {
  const { key, kind } = field
  const entry = form.get(key)
  if (kind === 'switch') return entry !== null
  if (kind === 'file_types') return normalizeValue(field, form.getAll(key).join(','))
  const text = String(entry ?? '')
  if (kind === 'number') return text.trim() === '' ? null : Number(text)
  return kind === 'link' && text.trim() === '' ? null : text
}

type FileType = { label: string; extensions: readonly string[] }

/** The file types that can be allowed. */
export const fileTypes: Record<'photos' | 'converted' | 'videos', readonly FileType[]> = {
  photos: [
    { label: 'JPEG', extensions: ['jpg', 'jpeg'] },
    { label: 'PNG', extensions: ['png'] },
    { label: 'WebP', extensions: ['webp'] },
    { label: 'AVIF', extensions: ['avif'] },
    { label: 'GIF', extensions: ['gif'] },
    { label: 'TIFF', extensions: ['tiff'] },
  ],
  converted: [
    { label: 'HEIC', extensions: heicFileTypes },
    { label: 'RAW', extensions: rawFileTypes },
  ],
  videos: [
    { label: 'MP4', extensions: ['mp4', 'm4v'] },
    { label: 'MOV', extensions: ['mov'] },
    { label: 'WebM', extensions: ['webm'] },
    { label: 'AVI', extensions: ['avi'] },
  ],
}

/** Returns the types of which at least one extension is in the comma-separated list. */
export function listFileTypes(list: string): FileType[] {
  const named = splitFileTypes(list)
  return Object.values(fileTypes)
    .flat()
    .filter(({ extensions }) => extensions.some((extension) => named.includes(extension)))
}
