import { randomUUID } from 'node:crypto'
import type { CompiledQuery, Selectable } from 'kysely'
import type { GuestRecord } from '../../../contract/gallery/guests.ts'
import { compileOnce } from '../../platform/database/compile-once.ts'
import { byKey } from '../../platform/database/short-read.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/** A guest with a name, a mail address, a selection or a merge. All other guests have no row, only an id. */
export type GuestTable = {
  /** The same as `gid` in the session tokens of the guest. */
  id: string
  event_id: number
  name: string | null
  email: string | null
  /** The guest into which this guest was merged. If that guest is merged later, this id changes too. */
  merged_into: string | null
  /** The row of an erased guest has no other data. It stays, so that sessions of the guest are rejected. */
  erased_at: number | null
  created_at: number
  updated_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    guests: GuestTable
  }
}

export type GuestRow = Selectable<GuestTable>

export const selectGuest = (db: Database, eventId: number, guestId: string): CompiledQuery<GuestRow> =>
  compileOnce(db, 'guest by id', { guestId, eventId }, (values) =>
    db
      .selectFrom('guests')
      .selectAll()
      .where('id', '=', values.guestId)
      .where('event_id', '=', values.eventId)
      .modifyEnd(byKey),
  )

export const findGuest = async (db: Database, eventId: number, guestId: string): Promise<GuestRow | undefined> =>
  (await db.executeQuery(selectGuest(db, eventId, guestId))).rows[0]

/** Returns the guest into which a guest was merged, or `guestId` itself; null for an erased guest. */
export const getActingGuest = (guest: GuestRow | undefined, guestId: string): string | null =>
  guest?.erased_at ? null : (guest?.merged_into ?? guestId)

/** Like `getActingGuest`. */
export const findActingGuest = async (db: Database, eventId: number, guestId: string): Promise<string | null> =>
  getActingGuest(await findGuest(db, eventId, guestId), guestId)

/** Like `findActingGuest`. Throws TOKEN_REVOKED for an erased guest. */
export const resolveMergedGuest = async (db: Database, eventId: number, guestId: string): Promise<string> =>
  assertNotErased(await findActingGuest(db, eventId, guestId))

/** Throws TOKEN_REVOKED. */
export function assertNotErased(actingId: string | null): string {
  if (actingId === null) throw new AppError('TOKEN_REVOKED')
  return actingId
}

/** Returns the names by guest id. A merged guest has the name of the guest that it was merged into. */
export async function loadGuestNames(db: Database, guestIds: readonly string[]): Promise<Map<string, string | null>> {
  if (guestIds.length === 0) return new Map()
  const guests = await db
    .selectFrom('guests as guest')
    .innerJoin('guests as current', (join) =>
      join.on(({ eb, fn }) => eb('current.id', '=', fn.coalesce('guest.merged_into', 'guest.id'))),
    )
    .select(['guest.id', 'current.name'])
    .where('guest.id', 'in', guestIds)
    .execute()
  return new Map(guests.map(({ id, name }) => [id, name]))
}

export const guestRecord = ({ id, name, email }: Pick<GuestRow, 'id' | 'name' | 'email'>): GuestRecord => ({
  id,
  name,
  email,
})

/** Replaces white space, control and bidirectional characters with single spaces. Returns null if nothing remains. */
export const normalizeGuestName = (name: string): string | null =>
  name.replaceAll(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim() || null

type GuestContactUpdate = { eventId: number; guestId: string; name: string | null; email: string | null; now: number }

/** Creates or updates a guest; null keeps the stored value. Locks the row for the rest of the transaction. */
export const saveGuest = (tx: Tx, { eventId, guestId, name, email, now }: GuestContactUpdate): Promise<GuestRow> =>
  tx
    .insertInto('guests')
    .values({
      id: guestId,
      event_id: eventId,
      name,
      email,
      merged_into: null,
      erased_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...(name !== null && { name }),
        ...(email !== null && { email }),
        updated_at: now,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Returns the ids of the guests that were merged into a guest. */
export async function listMergedInto(tx: Tx, guestId: string): Promise<string[]> {
  const merged = await tx.selectFrom('guests').select('id').where('merged_into', '=', guestId).execute()
  return merged.map(({ id }) => id)
}

/** Erases the data of guests. Their rows stay, so that their sessions do not continue. */
export const clearGuests = (tx: Tx, guestIds: readonly string[], now: number) =>
  tx
    .updateTable('guests')
    .set({ name: null, email: null, merged_into: null, created_at: now, updated_at: now, erased_at: now })
    .where('id', 'in', guestIds)
    .execute()

/** A guest is merged into another one, with all guests that were merged into it before. */
export async function setMerged(tx: Tx, { from, into }: { from: string; into: string }): Promise<void> {
  await tx.updateTable('guests').set({ merged_into: into }).where('merged_into', '=', from).execute()
  await tx.updateTable('guests').set({ merged_into: into }).where('id', '=', from).execute()
}

/** `into` gets the name and the address of `other` where it has none. */
export async function fillMissingContact(tx: Tx, eventId: number, into: string, other: GuestRow): Promise<GuestRow> {
  return tx
    .updateTable('guests')
    .set(({ fn, val, ref }) => ({
      name: fn.coalesce(ref('name'), val(other.name)),
      email: fn.coalesce(ref('email'), val(other.email)),
    }))
    .where('id', '=', into)
    .where('event_id', '=', eventId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

type MovedGuest = { eventId: number; name: string | null; email: string | null; createdAt: number }

/** Returns the new id. The sessions that the guest had in another installation are not valid here. */
export async function insertMovedGuest(tx: Tx, { eventId, name, email, createdAt }: MovedGuest): Promise<string> {
  const id = randomUUID()
  await tx
    .insertInto('guests')
    .values({
      id,
      event_id: eventId,
      name,
      email,
      merged_into: null,
      erased_at: null,
      created_at: createdAt,
      updated_at: createdAt,
    })
    .execute()
  return id
}
