import { eventSwitches } from '../../contract/event-features.ts'
import type { ChangeEventBody } from '../../contract/events.ts'
import type { SettingValues } from '../../contract/settings.ts'
import { themePresets } from '../../contract/themes.ts'
import { flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import { parseEndTime, parseInputTime } from '../platform/time/input-times.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getUsableCategory } from './categories/categories.ts'
import { getEventType } from './categories/event-types.ts'
import { updateAndAnnounce } from './event-announcements.ts'
import { assertEventDate, isBlank, missingFields, requiredFields, trimmedOrNull } from './event-requirements.ts'
import type { EventRow, EventTable } from './event-rows.ts'
import { createAccessKey, createShareToken, expiryAfter, neverExpires } from './event-rules.ts'
import { storeGalleryPassword, toStorable } from './gallery-passwords.ts'
import { getChangeableEvent } from './get-changeable-event.ts'
import { recordOutdatedLink } from './outdated-links.ts'

type Columns = Partial<Omit<EventTable, 'id'>>

/**
 * With `canNeverExpire`, a null `expires_at` means that the event never expires.
 *
 * A new or removed password or another value of `require_password` renews the share token and ends all guest sessions.
 * Throws NOT_FOUND, EVENT_ARCHIVED, INVALID_STATE, VALIDATION_ERROR or INVALID_CATEGORY.
 */
export async function changeEvent(
  ctx: AppContext,
  eventId: number,
  sent: ChangeEventBody,
  { canNeverExpire = false } = {},
): Promise<EventRow> {
  const body = resolveAliases(sent)
  const { db, clock, settings, changes } = ctx
  const values = await settings.values()
  const origin = await settings.linkOrigin()
  if (body.event_type !== undefined) await getEventType(ctx, body.event_type)
  if (body.upload_category_id) await getUsableCategory(ctx, body.upload_category_id, eventId)
  assertNotEmptied(body, values, canNeverExpire)
  assertEventDate(body.event_date)
  const passwordHash = body.password ? await ctx.passwords.hash(body.password) : null
  const storedPassword = await toStorable(ctx, body.password)

  const changed = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const row = await getChangeableEvent(tx, eventId)
    assertDraft(body, row)
    const columns: Columns = {
      ...(body.cover_photo_id !== undefined && body.cover_photo_id !== row.cover_photo_id && proposedFocus),
      ...plainColumns(body),
      ...expiryColumns(ctx, body),
      ...contactColumns(body, values),
      ...themeColumns(body, row),
      ...protectionColumns(body, row, passwordHash),
    }
    const { allow_user_uploads, upload_category_id } = { ...row, ...columns }
    if (allow_user_uploads === 1 && upload_category_id === null) throw missingFields(['upload_category_id'])
    if (row.has_package === 1 && columns.allow_favorites === 0) {
      throw new AppError('INVALID_STATE', { text: 'The package of the event needs favorites. Remove it first.' })
    }
    await assertCover(tx, eventId, columns.cover_photo_id ?? null)
    const updates = changedColumns(row, columns)
    if (Object.keys(updates).length === 0) return row
    if (updates.share_token) await recordOutdatedLink(tx, eventId, row.share_token)
    if (updates.password_hash !== undefined) await storeGalleryPassword(ctx, tx, eventId, storedPassword)
    return updateAndAnnounce(tx, eventId, updates, { type: 'event.updated', origin, now: clock.now() })
  })
  changes.notify('event', eventId)
  changes.notify('delivery', eventId)
  return changed
}

const proposedFocus = { cover_focus_x: null, cover_focus_y: null }

const changedColumns = (row: EventRow, columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([key, value]) => value !== row[key as keyof EventRow]))

/** `host_name` and `host_email` are older names. The current names take precedence. */
function resolveAliases({ host_name, host_email, ...body }: ChangeEventBody): ChangeEventBody {
  return {
    ...(host_name !== undefined && { customer_name: host_name }),
    ...(host_email !== undefined && { customer_email: host_email }),
    ...body,
  }
}

function plainColumns(body: ChangeEventBody): Columns {
  const { event_name, welcome_message, reveal_at } = body
  const flags = [...eventSwitches, 'send_email', 'allow_user_uploads'] as const
  return {
    ...(event_name !== undefined && { event_name: event_name.trim() }),
    ...(welcome_message !== undefined && { welcome_message: welcome_message ?? '' }),
    ...(reveal_at !== undefined && { reveal_at: reveal_at === null ? null : parseInputTime('reveal_at', reveal_at) }),
    ...pickSent(body, ['event_type', 'photo_cap', 'cover_layout', 'default_photo_sort', 'guest_session_days']),
    ...pickSent(body, [
      'event_date',
      'upload_category_id',
      'watermark_text',
      'download_max_px',
      'cover_photo_id',
      'cover_focus_x',
      'cover_focus_y',
      'language',
      'typeface',
    ]),
    ...Object.fromEntries(flags.flatMap((key) => (body[key] === undefined ? [] : [[key, flag(body[key])]]))),
  }
}

/** A phone number is stored only if the setting allows it, but can always be removed. */
function contactColumns(body: ChangeEventBody, settings: SettingValues): Columns {
  const texts = pickSent(body, ['customer_name', 'customer_email', 'admin_email'])
  return {
    ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, trimmedOrNull(text)])),
    ...((settings.event_phone_field_enabled || body.customer_phone === null) && pickSent(body, ['customer_phone'])),
  }
}

/**
 * `expires_at` takes precedence over `expiration_days`, which count from now. Any new expiry opens an expired event
 * again.
 */
function expiryColumns({ clock }: AppContext, { expires_at, expiration_days }: ChangeEventBody): Columns {
  if (expires_at === null) return { expires_at: neverExpires, expired_at: null }
  if (expires_at) return { expires_at: parseEndTime('expires_at', expires_at, clock), expired_at: null }
  if (expiration_days) return { expires_at: expiryAfter(clock.now(), expiration_days), expired_at: null }
  return {}
}

/** A null `header_style` means the style that the preset recommends. A null preset changes nothing. */
function themeColumns({ theme_preset, color_theme, header_style }: ChangeEventBody, row: EventRow): Columns {
  const preset = theme_preset ?? color_theme
  const recommended = themePresets[preset ?? (row.theme_preset as keyof typeof themePresets)].header_style
  return {
    ...(preset && { theme_preset: preset }),
    ...(header_style !== undefined && { header_style: header_style ?? recommended }),
  }
}

function protectionColumns({ password, require_password }: ChangeEventBody, row: EventRow, hash: string | null) {
  const isRequired = require_password ?? row.require_password === 1
  if (isRequired && !hash && (row.password_hash === null || password === null)) {
    throw invalidField('password', 'Send a password, or require_password: false.')
  }
  // A null password for an event without a password changes nothing and must not end sessions.
  const isNewPassword = hash !== null || (password === null && row.password_hash !== null)
  const isChanged = isNewPassword || flag(isRequired) !== row.require_password
  if (!isChanged) return {}
  return {
    require_password: flag(isRequired),
    ...(isNewPassword && { password_hash: hash }),
    share_token: createShareToken(),
    access_key: createAccessKey(),
  }
}

function assertDraft({ is_draft }: ChangeEventBody, row: EventRow): void {
  if (is_draft === undefined || flag(is_draft) === row.is_draft) return
  throw new AppError('INVALID_STATE', {
    text: is_draft ? 'A live event cannot become a draft again.' : 'To publish a draft, use POST /publish.',
  })
}

function assertNotEmptied(body: ChangeEventBody, settings: SettingValues, canNeverExpire: boolean): void {
  const emptied = requiredFields(settings).filter((path) => body[path] !== undefined && isBlank(body[path]))
  if (emptied.length > 0) throw missingFields(emptied)
  if (body.expires_at === null && (!canNeverExpire || settings.event_require_expiration))
    throw invalidField('expires_at', 'Every event needs an expiry date.')
}

/**
 * Accepts a hidden photo, but guests do not see it while it is hidden. Throws VALIDATION_ERROR for a photo of another
 * event.
 */
async function assertCover(tx: Tx, eventId: number, photoId: number | null): Promise<void> {
  if (photoId === null) return
  const photo = await tx
    .selectFrom('photos')
    .select('id')
    .where('id', '=', photoId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  if (!photo) throw invalidField('cover_photo_id', 'cover_photo_id must be a photo of this event')
}

/** Returns the keys that were sent, including those with the value null. */
const pickSent = <K extends keyof ChangeEventBody>(body: ChangeEventBody, keys: K[]): Pick<ChangeEventBody, K> =>
  Object.fromEntries(keys.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]]))) as Pick<
    ChangeEventBody,
    K
  >
