import type { Tx } from '../platform/database/tables.ts'

export type Naming = {
  eventId: number
  guestId: string
  /** Null leaves what is known. */
  name: string | null
  email: string | null
  now: number
}

/** One line of what a guest was called, without what turns the words after it around; null where nothing is left. */
export const plainGuestName = (name: string): string | null =>
  name.replaceAll(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim() || null

/** Keeps what a guest is called, who becomes known by it. */
export async function nameGuest(tx: Tx, { eventId, guestId, name, email, now }: Naming): Promise<void> {
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
