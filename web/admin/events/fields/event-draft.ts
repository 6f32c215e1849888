import { type EventSwitch, mapSwitches } from '../../../../contract/event-features.ts'
import type { Schemas } from '../../api/api.ts'
import type { Event } from '../event-context.tsx'
import { endOfDayAfter, formatLocalDateTime, parseLocalDateTime } from '../local-time.ts'

type Switches = Record<EventSwitch, boolean>

const pickSwitches = (from: Switches): Switches => mapSwitches((key) => from[key])

/**
 * The text of the expiry of an event that never expires. An empty text is an error, so that it is not chosen by
 * mistake.
 */
export const neverExpires = 'never'

export const toExpiryText = (expiresAt: string | null): string =>
  expiresAt === null ? neverExpires : formatLocalDateTime(expiresAt)

/** Returns null for never, and '' for an empty or invalid text, which the API rejects. */
export const parseExpiryText = (text: string): string | null =>
  text === neverExpires ? null : (parseLocalDateTime(text) ?? '')

const toNumberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const toTextOrNull = (text: string): string | null => (text.trim() === '' ? null : text)
const identity = (text: string): string => text

/** The text fields of the form, with the conversion of each into the value that the API expects. */
const toRequestValue = {
  event_name: identity,
  event_type: identity,
  event_date: toTextOrNull,
  customer_name: toTextOrNull,
  customer_email: toTextOrNull,
  customer_phone: toTextOrNull,
  admin_email: toTextOrNull,
  welcome_message: identity,
  password: identity,
  expires_at: parseExpiryText,
  reveal_at: parseLocalDateTime,
  photo_cap: (text: string) => toNumberOrNull(text) ?? 0,
  theme_preset: toTextOrNull,
  header_style: toTextOrNull,
  typeface: toTextOrNull,
  cover_layout: identity,
  cover_focus_x: toNumberOrNull,
  cover_focus_y: toNumberOrNull,
  default_photo_sort: identity,
  guest_session_days: Number,
  language: toTextOrNull,
  upload_category_id: toNumberOrNull,
  watermark_text: toTextOrNull,
  download_max_px: toNumberOrNull,
} satisfies Record<string, (text: string) => string | number | null>

export type TextFieldKey = keyof typeof toRequestValue
export type SwitchKey = keyof Switches | 'require_password' | 'allow_user_uploads'
export type EventDraft = Record<TextFieldKey, string> & Record<SwitchKey, boolean>

const textFieldKeys = Object.keys(toRequestValue) as TextFieldKey[]
const isTextField = (key: keyof EventDraft): key is TextFieldKey => key in toRequestValue

/** Returns the text of each field; '' for values that are null or missing. */
const formatTextFields = (values: { [Key in TextFieldKey]?: string | number | null }): Record<TextFieldKey, string> =>
  Object.fromEntries(textFieldKeys.map((key) => [key, String(values[key] ?? '')])) as Record<TextFieldKey, string>

/** The API never returns the password, so its field starts empty. An empty field leaves the password unchanged. */
export const toEventDraft = (event: Event): EventDraft => ({
  ...formatTextFields({
    ...event,
    expires_at: toExpiryText(event.expires_at),
    reveal_at: formatLocalDateTime(event.reveal_at),
    photo_cap: event.photo_cap || null,
  }),
  require_password: event.require_password,
  allow_user_uploads: event.allow_user_uploads,
  ...pickSwitches(event),
})

/** Returns the initial form of a new event. Theme and header style are empty until the operator chooses them. */
export const createEventDraft = (defaults: Schemas['EventDefaults']): EventDraft => ({
  ...formatTextFields({
    welcome_message: defaults.welcome_message,
    // A required expiry starts empty, so that the operator has to choose it.
    expires_at: defaults.required.includes('expiration_days') ? '' : endOfDayAfter(defaults.expiration_days),
    photo_cap: defaults.photo_cap || null,
    cover_layout: 'full',
    default_photo_sort: defaults.default_photo_sort,
    guest_session_days: 1,
    download_max_px: defaults.download_max_px,
  }),
  require_password: defaults.require_password,
  allow_user_uploads: false,
  ...pickSwitches(defaults),
})

const listChangedKeys = (before: EventDraft, after: EventDraft): Array<keyof EventDraft> =>
  (Object.keys(after) as Array<keyof EventDraft>).filter((key) => after[key] !== before[key])

export const diffEventDrafts = (before: EventDraft, after: EventDraft): Schemas['ChangeEvent'] =>
  Object.fromEntries(
    listChangedKeys(before, after).map((key) => [key, isTextField(key) ? toRequestValue[key](after[key]) : after[key]]),
  )

export const isDraftChanged = (before: EventDraft, after: EventDraft): boolean =>
  listChangedKeys(before, after).length > 0

type NewEvent = {
  first: EventDraft
  draft: EventDraft
  isPhoneKept: boolean
  isDraft: boolean
  shouldSendMail: boolean
}

/**
 * Returns the request body of a new event. Omits fields of the form that equal those of `first`, except name, type,
 * `require_password`, the expiry, the order and the switches: some of their defaults differ between this app and the API.
 * `customer_phone` is null unless `isPhoneKept`.
 */
export function createEventBody({
  first,
  draft,
  isPhoneKept,
  isDraft,
  shouldSendMail,
}: NewEvent): Schemas['CreateEvent'] {
  const { password: _, ...chosen } = diffEventDrafts(first, draft)
  return {
    ...chosen,
    event_name: draft.event_name,
    event_type: draft.event_type,
    require_password: draft.require_password,
    ...(draft.expires_at !== '' && { expires_at: parseExpiryText(draft.expires_at) }),
    default_photo_sort: draft.default_photo_sort as Schemas['PhotoSort'],
    ...pickSwitches(draft),
    ...(draft.require_password && draft.password !== '' && { password: draft.password }),
    ...(isDraft && { is_draft: true }),
    // For a draft, the publish dialog asks later whether to send the mail.
    ...(!isDraft && draft.customer_email !== '' && { send_email: shouldSendMail }),
    ...(isPhoneKept ? {} : { customer_phone: null }),
  }
}
