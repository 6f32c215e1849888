import { signal } from '@preact/signals'
import { page } from '../state/page.ts'

export const guestName = signal(page.viewer.guest?.name ?? null)
export const guestEmail = signal(page.viewer.guest?.email ?? null)

/** Set while the name dialog is open. It is called with whether the guest has a name now. */
export const nameWanted = signal<((isThere: boolean) => void) | null>(null)

let asking: Promise<boolean> | null = null

/** Resolves to whether a mark can be given. Asks for a name if it is missing. */
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
