import type { Insertable } from 'kysely'
import { type EventSwitch, mapSwitches } from '../../contract/event-features.ts'
import { type PhotoSort, photoSorts } from '../../contract/events.ts'
import type { SettingValues } from '../../contract/settings.ts'
import { type HeaderStyle, headerStyles, type ThemePreset, themePresets } from '../../contract/themes.ts'
import type { EventTable } from '../events/event-rows.ts'
import { createAccessKey, createShareToken, initialExpiryWarning, neverExpires } from '../events/event-rules.ts'
import { type Flag, flag } from '../platform/database/tables.ts'
import { t } from '../platform/text/command-messages.ts'
import { createSlug } from '../platform/text/slugs.ts'
import type { AddDifference } from './move-report.ts'
import { type SourceRow, toDate, toFlag, toJson, toLine, toText, toTime, toWhole } from './source/source-values.ts'

/** The columns of `events` that do not depend on the id of another row. */
export type EventColumns = Omit<Insertable<EventTable>, 'id' | 'created_by' | 'upload_category_id' | 'cover_photo_id'>

/** Ids are those of the source. */
export type SourceEvent = {
  id: number
  columns: EventColumns
  createdBy: number | null
  uploadCategoryId: number | null
  coverPhotoId: number | null
  /** The path of the ZIP with the photos of an archived event. */
  archivePath: string | null
  /** The folder of the photos. */
  folder: string
  /** Its folder of external media, relative to that of all. */
  externalFolder: string | null
}

type Circumstances = {
  settings: SettingValues
  now: number
  add: AddDifference
  /** Whether the password hash can be verified here. */
  isReadableHash: (hash: string | null) => boolean
}

/**
 * Reads a row of `events` with its row of `event_feedback_settings`. Reports what has no counterpart. Returns null for a
 * row without an id or without a name.
 */
export function readEvent(
  row: SourceRow,
  feedback: SourceRow,
  { settings, now, add, isReadableHash }: Circumstances,
): SourceEvent | null {
  const id = toWhole(row.id)
  const name = toLine(row.event_name)
  if (id === null || id === 0 || name === null) {
    add('events', row.id, t('eventIncomplete'))
    return null
  }
  const slug = createSlug(toLine(row.slug) ?? '') || `event-${id}`
  if (slug !== toLine(row.slug))
    add('events', id, t('slugChanged', { slug: JSON.stringify(toText(row.slug)), changed: slug }))
  reportLosses(row, id, add)
  const expiresAt = toTime(row.expires_at) ?? neverExpires
  const createdAt = toTime(row.created_at) ?? now
  const isArchived = toFlag(row.is_archived)
  return {
    id,
    createdBy: toWhole(row.created_by),
    uploadCategoryId: toWhole(row.upload_category_id),
    coverPhotoId: toWhole(row.hero_photo_id),
    archivePath: isArchived === 1 ? toLine(row.archive_path) : null,
    folder: toLine(row.slug) ?? slug,
    externalFolder: toLine(row.external_path),
    columns: {
      ...readSwitches(row, feedback, settings),
      ...readPassword(row, id, { add, isReadableHash }),
      ...readLooks(row),
      slug,
      share_token: readShareToken(row, id, add),
      access_key: createAccessKey(),
      event_type: toLine(row.event_type) ?? 'other',
      event_name: name.slice(0, 200),
      event_date: toDate(row.event_date),
      customer_name: toLine(row.customer_name) ?? toLine(row.host_name),
      customer_email: toLine(row.customer_email) ?? toLine(row.host_email),
      customer_phone: toLine(row.customer_phone),
      admin_email: toLine(row.admin_email),
      welcome_message: toText(row.welcome_message) ?? '',
      expires_at: expiresAt,
      // No notifications are sent about the time before the import.
      expired_at: expiresAt <= now ? now : null,
      expiry_warned_for: initialExpiryWarning(expiresAt, now, settings),
      photo_cap: toWhole(row.photo_cap) ?? 0,
      is_draft: toFlag(row.is_draft),
      is_archived: isArchived,
      archived_at: isArchived === 1 ? (toTime(row.archived_at) ?? now) : null,
      trashed_at: null,
      send_email: 0,
      allow_user_uploads: toFlag(row.allow_user_uploads),
      default_photo_sort: readSort(row),
      watermark_text: toLine(row.watermark_text)?.slice(0, 200) ?? null,
      download_max_px: null,
      reveal_at: null,
      has_package: 0,
      has_first_look: 0,
      cover_layout: 'full',
      guest_session_days: 1,
      language: null,
      typeface: null,
      total_views: 0,
      total_downloads: 0,
      created_at: createdAt,
      updated_at: now,
    },
  }
}

/** Switches that PicPeak does not have are off. */
function readSwitches(row: SourceRow, feedback: SourceRow, settings: SettingValues): Record<EventSwitch, Flag> {
  const requiresName = toLine(feedback.identity_mode) === 'guest' || toFlag(feedback.require_name_email) === 1
  return {
    ...mapSwitches((): Flag => 0),
    allow_downloads: toFlag(row.allow_downloads, true),
    watermark_downloads: toFlag(row.watermark_downloads),
    strip_location: flag(settings.event_default_strip_location),
    feedback_enabled: toFlag(feedback.feedback_enabled),
    allow_ratings: toFlag(feedback.allow_ratings, true),
    allow_color_labels: toFlag(feedback.allow_color_labels),
    allow_comments: toFlag(feedback.allow_comments, true),
    allow_likes: toFlag(feedback.allow_likes, true),
    allow_favorites: toFlag(feedback.allow_favorites, true),
    moderate_comments: toFlag(feedback.moderate_comments, true),
    show_feedback_to_guests: toFlag(feedback.show_feedback_to_guests, true),
    require_guest_name: flag(requiresName),
  }
}

/** PicPeak stores a password also for galleries that open without one. */
function readPassword(
  row: SourceRow,
  id: number,
  { add, isReadableHash }: Pick<Circumstances, 'add' | 'isReadableHash'>,
) {
  const hash = toLine(row.password_hash)
  if (toFlag(row.require_password, true) === 0) return { require_password: 0, password_hash: null } as const
  if (isReadableHash(hash)) return { require_password: 1, password_hash: hash } as const
  add('events', id, t('passwordUnreadable'))
  // The empty hash matches no password.
  return { require_password: 1, password_hash: '' } as const
}

function readShareToken(row: SourceRow, id: number, add: AddDifference): string {
  const fromLink = toLine(row.share_link)?.split(/[?#]/)[0]?.split('/').at(-1)
  const token = toLine(row.share_token) ?? fromLink ?? ''
  if (/^[\w-]{16,128}$/.test(token)) return token
  add('events', id, t('linkUnreadable'))
  return createShareToken()
}

const presets: Readonly<Record<string, ThemePreset>> = {
  elegantWedding: 'linen',
  birthdayFun: 'meadow',
  corporateTimeline: 'slate',
  modernMasonry: 'classic',
  artisticMosaic: 'noir',
}

function readLooks(row: SourceRow): { theme_preset: ThemePreset; header_style: HeaderStyle } {
  const theme = toJson(row.color_theme)
  const name = theme !== null && typeof theme === 'object' && 'preset' in theme ? theme.preset : toLine(row.color_theme)
  const preset = (typeof name === 'string' && presets[name]) || 'classic'
  const style = headerStyles.find((one) => one === toLine(row.header_style))
  return { theme_preset: preset, header_style: style ?? themePresets[preset].header_style }
}

/** The theme of an event type. */
export const readPreset = (name: string | null): ThemePreset => presets[name ?? ''] ?? 'classic'

const readSort = (row: SourceRow): PhotoSort =>
  photoSorts.find((sort) => sort === toLine(row.default_photo_sort)) ?? 'upload_date_desc'

function reportLosses(row: SourceRow, id: number, add: AddDifference): void {
  if (toFlag(row.client_access_enabled) === 1) {
    add('events', id, t('clientLinkLost'))
  }
  if (toLine(row.css_template_id) !== null) add('events', id, t('cssLost'))
  if (toLine(row.hero_logo_path) !== null) add('events', id, t('logoLost'))
}
