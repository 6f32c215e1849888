import type { AccountCaller } from '../access/callers.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type EncryptedColumn, encryptedColumn } from '../platform/security/encrypted-columns.ts'
import { isEncryptionKeyInDatabase } from '../platform/security/secrets.ts'
import { hours } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getOwnedEvent } from './event-ownership.ts'
import type { EventRow } from './event-rows.ts'

/** Encrypted copies for owners to read. Entry is decided by `password_hash` of the event alone. */
type GalleryPasswordTable = { event_id: number; sealed_password: string }

declare module '../platform/database/tables.ts' {
  interface Tables {
    gallery_passwords: GalleryPasswordTable
  }
}

const purposeOf = (eventId: number): string => `gallery password ${eventId}`

/** A key beside the passwords would not protect them, so an instance with such a key stores none. */
const canStore = async (ctx: AppContext): Promise<boolean> =>
  !isEncryptionKeyInDatabase(ctx) && (await ctx.settings.values()).gallery_keep_passwords

/**
 * Returns the password if it may be stored, otherwise null. Must be called outside of a transaction, because it may read
 * the settings.
 */
export const toStorable = async (ctx: AppContext, password: string | null | undefined): Promise<string | null> =>
  password && (await canStore(ctx)) ? password : null

/** Replaces the stored password in the transaction that changes its hash. Null removes it. */
export async function storeGalleryPassword(
  { encryption }: PlatformContext,
  tx: Tx,
  eventId: number,
  password: string | null,
): Promise<void> {
  await tx.deleteFrom('gallery_passwords').where('event_id', '=', eventId).execute()
  if (password === null) return
  const sealed_password = encryption.encrypt(password, purposeOf(eventId))
  await tx.insertInto('gallery_passwords').values({ event_id: eventId, sealed_password }).execute()
}

/**
 * Replaces a hash of another installation by one of the same password. Sessions of guests stay valid, and a password that
 * is changed at the same time wins.
 */
export async function replaceForeignHash(
  { db, passwords, changes }: PlatformContext,
  { id, password_hash }: Pick<EventRow, 'id' | 'password_hash'>,
  password: string,
): Promise<void> {
  if (!passwords.isForeign(password_hash)) return
  await db
    .updateTable('events')
    .set({ password_hash: await passwords.hash(password) })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .execute()
  changes.notify('event', id)
}

/** So that the password is still there if archiving was a mistake. */
const keptAfterArchivingMs = hours(1)

/**
 * Runs every hour. Erases the stored passwords of events that were archived over an hour ago, and all of them once the
 * setting or the place of the key no longer allows them.
 */
export async function pruneGalleryPasswords(ctx: AppContext): Promise<void> {
  const { db, clock } = ctx
  const isStored = await canStore(ctx)
  await db
    .deleteFrom('gallery_passwords')
    .$if(isStored, (rows) =>
      rows.where('event_id', 'in', (events) =>
        events
          .selectFrom('events')
          .select('id')
          .where('archived_at', '<', clock.now() - keptAfterArchivingMs),
      ),
    )
    .execute()
}

/**
 * Returns the current password, or null if the event has none or it is not stored. Throws NOT_FOUND, or FORBIDDEN for a
 * caller who is not an owner.
 */
export async function readGalleryPassword(
  ctx: AppContext,
  caller: AccountCaller,
  eventId: number,
): Promise<string | null> {
  const event = await getOwnedEvent(ctx, caller, eventId)
  if (event.require_password === 0 || !(await canStore(ctx))) return null
  const stored = await ctx.db
    .selectFrom('gallery_passwords')
    .select('sealed_password')
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  if (!stored) return null
  try {
    return ctx.encryption.decrypt(stored.sealed_password, purposeOf(eventId))
  } catch (err) {
    ctx.log.warn({ err, event_id: eventId }, 'Could not decrypt the password of a gallery')
    return null
  }
}

export const encryptedGalleryPasswords = ({ db }: PlatformContext): EncryptedColumn =>
  encryptedColumn(
    db,
    { name: 'gallery passwords', getPurpose: purposeOf },
    { table: 'gallery_passwords', idColumn: 'event_id', column: 'sealed_password' },
  )
