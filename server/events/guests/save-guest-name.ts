import type { Tx } from '../../platform/database/tables.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { findGuest, normalizeGuestName, saveGuest } from './guest-rows.ts'

type GuestNameInput = {
  eventId: number
  guestId: string
  body: { guest_name?: string | null; guest_email?: string | null }
  requiresName: boolean
  now: number
}

/** Stores the name and the address that came with feedback. Throws VALIDATION_ERROR if a required name is missing. */
export async function saveGuestName(
  tx: Tx,
  { eventId, guestId, body, requiresName, now }: GuestNameInput,
): Promise<void> {
  const name = normalizeGuestName(body.guest_name ?? '')
  const email = body.guest_email ?? null
  if (name === null && requiresName && !(await findGuest(tx, eventId, guestId))?.name) {
    throw invalidField('guest_name', 'is required')
  }
  if (name !== null || email !== null) await saveGuest(tx, { eventId, guestId, name, email, now })
}
