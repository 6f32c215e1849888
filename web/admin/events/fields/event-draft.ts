import type { Schemas } from '../../api/api.ts'
import type { Event } from '../event-context.tsx'
import { endOfDayAfter, formatLocalDateTime, parseLocalDateTime } from '../local-time.ts'

export const eventSwitches = [
  'allow_downloads',
  'watermark_downloads',
  'strip_location',
  'moderate_uploads',
  'feedback_enabled',
  'allow_ratings',
  'allow_color_labels',
  'allow_comments',
  'allow_likes',
  'allow_favorites',
  'moderate_comments',
  'show_feedback_to_guests',
  'require_guest_name',
] as const satisfies Array<keyof Event>
export type EventSwitch = (typeof eventSwitches)[number]

export type EventDraft = Record<TextFieldKey, string> &
  Record<EventSwitch | 'require_password' | 'allow_user_uploads', boolean>

const textFieldKeys = [
  'event_name',
  'event_type',
  'event_date',
  'customer_name',
  'customer_email',
  'customer_phone',
  'admin_email',
  'welcome_message',
  'password',
  'expires_at',
  'reveal_at',
  'photo_cap',
  'theme_preset',
  'header_style',
  'default_photo_sort',
  'upload_category_id',
  'watermark_text',
  'download_max_px',
] as const
export type TextFieldKey = (typeof textFieldKeys)[number]
export type SwitchKey = Exclude<keyof EventDraft, TextFieldKey>

type Switches = Record<EventSwitch, boolean>
const pickSwitches = (from: Switches): Switches =>
  Object.fromEntries(eventSwitches.map((key) => [key, from[key]])) as Switches

/** The API never returns the password, so its field starts empty. An empty field leaves the password unchanged. */
export const toEventDraft = (event: Event): EventDraft => ({
  event_name: event.event_name,
  event_type: event.event_type,
  event_date: event.event_date ?? '',
  customer_name: event.customer_name ?? '',
  customer_email: event.customer_email ?? '',
  customer_phone: event.customer_phone ?? '',
  admin_email: event.admin_email ?? '',
  welcome_message: event.welcome_message,
  require_password: event.require_password,
  password: '',
  expires_at: formatLocalDateTime(event.expires_at),
  reveal_at: formatLocalDateTime(event.reveal_at),
  photo_cap: event.photo_cap === 0 ? '' : String(event.photo_cap),
  theme_preset: event.theme_preset,
  header_style: event.header_style,
  default_photo_sort: event.default_photo_sort,
  allow_user_uploads: event.allow_user_uploads,
  upload_category_id: event.upload_category_id === null ? '' : String(event.upload_category_id),
  watermark_text: event.watermark_text ?? '',
  download_max_px: event.download_max_px === null ? '' : String(event.download_max_px),
  ...pickSwitches(event),
})

/** The initial form of a new event. Theme and header stay empty, which means the defaults of the event type. */
export const createEventDraft = (defaults: Schemas['EventDefaults']): EventDraft => ({
  event_name: '',
  event_type: '',
  event_date: '',
  customer_name: '',
  customer_email: '',
  customer_phone: '',
  admin_email: '',
  welcome_message: defaults.welcome_message,
  require_password: defaults.require_password,
  password: '',
  // A required expiry starts empty, so that the user has to choose it.
  expires_at: defaults.required.includes('expiration_days') ? '' : endOfDayAfter(defaults.expiration_days),
  reveal_at: '',
  photo_cap: defaults.photo_cap === 0 ? '' : String(defaults.photo_cap),
  theme_preset: '',
  header_style: '',
  default_photo_sort: defaults.default_photo_sort,
  allow_user_uploads: false,
  upload_category_id: '',
  watermark_text: '',
  download_max_px: defaults.download_max_px === null ? '' : String(defaults.download_max_px),
  ...pickSwitches(defaults),
})

const toNumberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const toTextOrNull = (text: string): string | null => (text.trim() === '' ? null : text)
const identity = (text: string): string => text

const toRequestValue: Record<TextFieldKey, (text: string) => string | number | null> = {
  event_name: identity,
  event_type: identity,
  event_date: toTextOrNull,
  customer_name: toTextOrNull,
  customer_email: toTextOrNull,
  customer_phone: toTextOrNull,
  admin_email: toTextOrNull,
  welcome_message: identity,
  password: identity,
  expires_at: parseLocalDateTime,
  reveal_at: parseLocalDateTime,
  photo_cap: (text) => toNumberOrNull(text) ?? 0,
  theme_preset: toTextOrNull,
  header_style: toTextOrNull,
  default_photo_sort: identity,
  upload_category_id: toNumberOrNull,
  watermark_text: toTextOrNull,
  download_max_px: toNumberOrNull,
}

const isTextField = (key: keyof EventDraft): key is TextFieldKey => key in toRequestValue

export type EventChanges = Schemas['ChangeEvent']

/** Returns the changed fields as a request body; empty when nothing changed. */
export function diffEventDrafts(before: EventDraft, after: EventDraft): EventChanges {
  const keys = (Object.keys(after) as Array<keyof EventDraft>).filter((key) => after[key] !== before[key])
  return Object.fromEntries(keys.map((key) => [key, isTextField(key) ? toRequestValue[key](after[key]) : after[key]]))
}

export const isDraftChanged = (before: EventDraft, after: EventDraft): boolean =>
  (Object.keys(after) as Array<keyof EventDraft>).some((key) => after[key] !== before[key])
