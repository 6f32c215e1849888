import { signal } from '@preact/signals'
import { page } from '../state/page.ts'

/** The name and the address that the photographer knows the guest by. */
export const guestName = signal(page.viewer.guest?.name ?? null)
export const guestEmail = signal(page.viewer.guest?.email ?? null)

/** Set while the dialog that asks for a name is open; called with whether there is one now. */
export const nameWanted = signal<((isThere: boolean) => void) | null>(null)

let asking: Promise<boolean> | null = null

/** Whether a mark may be given: asks for a name once, where the operator wants names, or by now wants them. */
export function withGuestName(isWanted = page.feedback.require_guest_name): Promise<boolean> {
  if (!isWanted || guestName.peek()) return Promise.resolve(true)
  asking ??= new Promise((resolve) => {
    nameWanted.value = (isThere) => {
      nameWanted.value = null
      asking = null
      resolve(isThere)
    }
  })
  return asking
}
