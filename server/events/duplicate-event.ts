import type { DuplicateEventBody } from '../../contract/event-copies.ts'
import { suggestPassword } from '../../contract/suggest-password.ts'
import type { AccountCaller } from '../access/callers.ts'
import { flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { insertWithFreeSlug } from './create-event.ts'
import { announceEvent } from './event-announcements.ts'
import { assertEventDate } from './event-requirements.ts'
import type { EventRow } from './event-rows.ts'
import { createAccessKey, createShareToken, expiryAfter, isExpired, slugBase } from './event-rules.ts'
import { storeGalleryPassword, toStorable } from './gallery-passwords.ts'
import { getEventInTransaction } from './get-changeable-event.ts'
import { copyLetters } from './mail/letter-texts.ts'

export type DuplicatedEvent = { event: EventRow; generatedPassword: string | null }

/**
 * Copies no photos, members or feedback. The copy does not take over the password, because guests know it: its password
 * is the one in `body` or a generated one. Throws NOT_FOUND or VALIDATION_ERROR.
 */
export async function duplicateEvent(
  ctx: AppContext,
  { user }: AccountCaller,
  eventId: number,
  body: DuplicateEventBody,
): Promise<DuplicatedEvent> {
  const { db, clock, settings, changes, passwords } = ctx
  const { general_default_expiration_days: days } = await settings.values()
  const origin = await settings.linkOrigin()
  assertEventDate(body?.event_date)
  const given = body?.password ?? null
  const password = given ?? suggestPassword()
  const passwordHash = await passwords.hash(password)
  const storedPassword = await toStorable(ctx, password)

  const event = await inTransaction(db, 'everything', async (tx) => {
    const { id: originalId, slug: _, ...original } = await getEventInTransaction(tx, eventId)
    const now = clock.now()
    const { event_name = original.event_name, event_date = original.event_date } = body ?? {}
    const isProtected = original.require_password === 1 || given !== null
    const values = {
      ...original,
      event_name: event_name.trim(),
      event_date,
      share_token: createShareToken(),
      access_key: createAccessKey(),
      require_password: flag(isProtected),
      password_hash: isProtected ? passwordHash : null,
      expires_at: isExpired(original, now) ? expiryAfter(now, days) : original.expires_at,
      expired_at: null,
      expiry_warned_for: null,
      is_draft: 1,
      is_archived: 0,
      archived_at: null,
      trashed_at: null,
      has_package: 0,
      has_first_look: 0,
      cover_photo_id: null,
      cover_focus_x: null,
      cover_focus_y: null,
      cover_facts: null,
      total_views: 0,
      total_downloads: 0,
      created_at: now,
      updated_at: now,
      created_by: user.id,
    } as const
    const inserted = await insertWithFreeSlug(tx, values, slugBase(values.event_type, values.event_name, event_date))
    const copy = await copyCategories(tx, originalId, inserted)
    await copyLetters(tx, originalId, copy.id)
    if (isProtected && storedPassword) await storeGalleryPassword(ctx, tx, copy.id, storedPassword)
    await announceEvent(tx, 'event.created', copy, origin, now)
    return copy
  })
  changes.notify('event', event.id)
  changes.notify('delivery', event.id)
  const isGenerated = event.require_password === 1 && given === null
  return { event, generatedPassword: isGenerated ? password : null }
}

/**
 * Copies the categories of the original event. If its guest uploads use one of them, the new event uses the copy of
 * that category.
 */
async function copyCategories(tx: Tx, originalId: number, event: EventRow): Promise<EventRow> {
  const categories = await tx
    .selectFrom('categories')
    .selectAll()
    .where('event_id', '=', originalId)
    .orderBy('id')
    .execute()
  let uploadCategoryId = event.upload_category_id
  for (const { id: originalCategoryId, ...category } of categories) {
    const { id } = await tx
      .insertInto('categories')
      .values({ ...category, event_id: event.id, created_at: event.created_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (event.upload_category_id === originalCategoryId) uploadCategoryId = id
  }
  return tx
    .updateTable('events')
    .set({ upload_category_id: uploadCategoryId })
    .where('id', '=', event.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
