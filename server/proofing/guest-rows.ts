import type { Selectable } from 'kysely'
import type { GuestRecord } from '../../contract/guests.ts'
import type { Database, Tx } from '../platform/database/tables.ts'

/** A guest who has given a name, has been merged, or has been merged into. Others are known by their marks alone. */
export type GuestTable = {
  /** The `gid` of the guest's sessions. */
  id: string
  event_id: number
  name: string | null
  email: string | null
  /** The guest whom this one's sessions act as; never one that is merged itself. */
  merged_into: string | null
  created_at: number
  updated_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    guests: GuestTable
  }
}

export type GuestRow = Selectable<GuestTable>

export const findGuest = (db: Database | Tx, eventId: number, guestId: string): Promise<GuestRow | undefined> =>
  db.selectFrom('guests').selectAll().where('id', '=', guestId).where('event_id', '=', eventId).executeTakeFirst()

/** Whom a session acts as: the guest it was given to, or the one whom that guest was merged into. */
export async function actingGuest(db: Database | Tx, eventId: number, guestId: string): Promise<string> {
  const guest = await findGuest(db, eventId, guestId)
  return guest?.merged_into ?? guestId
}

/** A guest as operators read it, and the guest itself. */
export const guestRecord = ({ id, name, email }: Pick<GuestRow, 'id' | 'name' | 'email'>): GuestRecord => ({
  id,
  name,
  email,
})
