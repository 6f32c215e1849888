import type { Tx } from '../platform/database/tables.ts'

export type Naming = {
  eventId: number
  guestId: string
  /** Null leaves what is known. */
  name: string | null
  email: string | null
  now: number
}

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
