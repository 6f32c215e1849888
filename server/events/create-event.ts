import { mapSwitches } from '../../contract/event-features.ts'
import type { CreateEventBody } from '../../contract/events.ts'
import type { SettingValues } from '../../contract/settings.ts'
import { themePresets } from '../../contract/themes.ts'
import type { AccountCaller } from '../access/callers.ts'
import { flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { invalidField } from '../platform/errors/app-error.ts'
import type { Clock } from '../platform/time/clock.ts'
import { parseEndTime, parseInputTime } from '../platform/time/input-times.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getUsableCategory } from './categories/categories.ts'
import { type EventTypeTable, getEventType } from './categories/event-types.ts'
import { announceEvent } from './event-announcements.ts'
import { assertEventDate, isBlank, missingFields, requiredFields, trimmedOrNull } from './event-requirements.ts'
import type { EventRow, EventTable } from './event-rows.ts'
import { createAccessKey, createShareToken, expiryAfter, initialExpiryWarning, slugBase } from './event-rules.ts'
import { storeGalleryPassword, toStorable } from './gallery-passwords.ts'
import { loadLetterhead, mailGalleryLink } from './mail/event-mail.ts'
import { isOldSlug } from './old-addresses.ts'

/** The caller becomes the owner. Throws VALIDATION_ERROR or INVALID_CATEGORY. */
export async function createEvent(
  ctx: AppContext,
  { user }: AccountCaller,
  body: CreateEventBody,
  inSameTransaction: (tx: Tx, event: EventRow) => Promise<void> = async () => undefined,
): Promise<EventRow> {
  const { db, clock, settings, changes } = ctx
  const values = await settings.values()
  const input = resolveAliases(body)
  assertRequired(input, values)
  const type = await getEventType(ctx, input.event_type)
  if (input.upload_category_id) await getUsableCategory(ctx, input.upload_category_id, null)

  const password = await passwordColumns(ctx, input, values)
  const row = { ...createColumns(clock, input, values, type), ...password, created_by: user.id }
  const storedPassword = await toStorable(ctx, input.password)
  const head = await loadLetterhead(ctx)
  const created = await inTransaction(db, 'everything', async (tx) => {
    const event = await insertWithFreeSlug(tx, row, slugBase(input.event_type, row.event_name, row.event_date))
    if (storedPassword) await storeGalleryPassword(ctx, tx, event.id, storedPassword)
    await announceEvent(tx, 'event.created', event, head.origin, row.created_at)
    if (event.is_draft === 0) {
      await announceEvent(tx, 'event.published', event, head.origin, row.created_at)
      if (event.send_email === 1) await mailGalleryLink(ctx, tx, head, event, input.password ?? null)
    }
    await inSameTransaction(tx, event)
    return event
  })
  changes.notify('mail', created.id)
  changes.notify('delivery', created.id)
  return created
}

type NewEvent = Omit<EventTable, 'id' | 'slug'>

function createColumns(clock: Clock, input: CreateEventBody, values: SettingValues, type: EventTypeTable) {
  const now = clock.now()
  return {
    ...contactColumns(input, values),
    ...themeColumns(input, type),
    ...switchColumns(input, values),
    share_token: createShareToken(),
    access_key: createAccessKey(),
    event_type: input.event_type,
    event_name: input.event_name.trim(),
    event_date: input.event_date ?? null,
    welcome_message: input.welcome_message ?? values.event_default_welcome_message,
    ...expiryColumns(input, values, clock),
    photo_cap: input.photo_cap ?? values.event_default_photo_cap,
    is_draft: flag(input.is_draft ?? false),
    is_archived: 0,
    archived_at: null,
    trashed_at: null,
    send_email: flag(input.send_email ?? true),
    allow_user_uploads: flag(input.allow_user_uploads ?? false),
    upload_category_id: input.upload_category_id ?? null,
    default_photo_sort: input.default_photo_sort ?? values.event_default_photo_sort,
    cover_layout: input.cover_layout ?? 'full',
    cover_photo_id: null,
    cover_focus_x: null,
    cover_focus_y: null,
    cover_facts: null,
    watermark_text: input.watermark_text ?? null,
    // null means the original size, whatever the default is.
    download_max_px: input.download_max_px === undefined ? values.event_default_download_max_px : input.download_max_px,
    reveal_at: input.reveal_at ? parseInputTime('reveal_at', input.reveal_at) : null,
    has_package: 0,
    has_first_look: 0,
    guest_session_days: input.guest_session_days ?? 1,
    language: input.language ?? null,
    typeface: input.typeface ?? null,
    total_views: 0,
    total_downloads: 0,
    created_at: now,
    updated_at: now,
  } satisfies Partial<NewEvent>
}

/** `host_…` and `color_theme` are older names, used only if the current name is missing or null. */
const resolveAliases = (body: CreateEventBody): CreateEventBody => ({
  ...body,
  customer_name: body.customer_name ?? body.host_name ?? null,
  customer_email: body.customer_email ?? body.host_email ?? null,
  theme_preset: body.theme_preset ?? body.color_theme ?? null,
})

function assertRequired(input: CreateEventBody, settings: SettingValues): void {
  const given = { ...input, expiration_days: input.expiration_days ?? input.expires_at }
  const missing: string[] = requiredFields(settings).filter((path) => isBlank(given[path]))
  if (input.allow_user_uploads && !input.upload_category_id) missing.push('upload_category_id')
  if (missing.length > 0) throw missingFields(missing)
  assertEventDate(input.event_date)
}

/**
 * If `require_password` is not sent, a sent password or the setting makes it true. Throws VALIDATION_ERROR if a
 * required password is missing.
 */
async function passwordColumns(
  { passwords }: AppContext,
  { password, require_password }: CreateEventBody,
  settings: SettingValues,
) {
  const isRequired = require_password ?? (Boolean(password) || settings.event_default_require_password)
  if (isRequired && !password) {
    throw invalidField('password', 'Send a password, or require_password: false to open the gallery by its link alone.')
  }
  return { require_password: flag(isRequired), password_hash: password ? await passwords.hash(password) : null }
}

function expiryColumns({ expires_at, expiration_days }: CreateEventBody, settings: SettingValues, clock: Clock) {
  const now = clock.now()
  const expiresAt = expires_at
    ? parseEndTime('expires_at', expires_at, clock)
    : expiryAfter(now, expiration_days ?? settings.general_default_expiration_days)
  return { expires_at: expiresAt, expired_at: null, expiry_warned_for: initialExpiryWarning(expiresAt, now, settings) }
}

const contactColumns = (input: CreateEventBody, settings: SettingValues) => ({
  customer_name: trimmedOrNull(input.customer_name),
  customer_email: trimmedOrNull(input.customer_email),
  customer_phone: settings.event_phone_field_enabled ? (input.customer_phone ?? null) : null,
  admin_email: trimmedOrNull(input.admin_email),
})

function themeColumns({ theme_preset, header_style }: CreateEventBody, type: EventTypeTable) {
  const preset = theme_preset ?? type.theme_preset
  return { theme_preset: preset, header_style: header_style ?? themePresets[preset].header_style }
}

const switchColumns = (input: CreateEventBody, settings: SettingValues) =>
  mapSwitches((key) => flag(input[key] ?? settings[`event_default_${key}`]))

/**
 * Appends `-1`, `-2` and so on while the slug is taken, also by an older address of another event. Concurrent requests get
 * different slugs.
 */
export async function insertWithFreeSlug(tx: Tx, row: NewEvent, base: string): Promise<EventRow> {
  for (let attempt = 0; ; attempt++) {
    const slug = attempt === 0 ? base : `${base}-${attempt}`
    if (await isOldSlug(tx, slug)) continue
    const inserted = await tx
      .insertInto('events')
      .values({ ...row, slug })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (inserted) return inserted
  }
}
