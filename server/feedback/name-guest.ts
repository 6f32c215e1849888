import type { Tx } from '../platform/database/tables.ts'

export type GuestNameUpdate = {
  eventId: number
  guestId: string
  /** Null leaves the stored value. */
  name: string | null
  email: string | null
  now: number
}

/** Removes control and bidirectional characters; returns null if nothing remains. */
export const normalizeGuestName = (name: string): string | null =>
  name.replaceAll(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim() || null

export async function nameGuest(tx: Tx, { eventId, guestId, name, email, now }: GuestNameUpdate): Promise<void> {
  await tx
    .insertInto('guests')
    .values({ id: guestId, event_id: eventId, name, email, merged_into: null, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...(name !== null && { name }),
        ...(email !== null && { email }),
        updated_at: now,
      }),
    )
    .execute()
}
