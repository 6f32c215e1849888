import { signal } from '@preact/signals'
import { page } from '../state/page.ts'

export const guestName = signal(page.viewer.guest?.name ?? null)
export const guestEmail = signal(page.viewer.guest?.email ?? null)

/** Set while the name dialog is open. It is called with whether the guest has a name now. */
export const nameRequest = signal<((hasName: boolean) => void) | null>(null)

let asking: Promise<boolean> | null = null

/** Resolves to whether a mark can be given. Asks for a name if it is missing. */
export function ensureGuestName(isRequired = page.feedback.require_guest_name): Promise<boolean> {
  if (!isRequired || guestName.peek()) return Promise.resolve(true)
  asking ??= new Promise((resolve) => {
    nameRequest.value = (hasName) => {
      nameRequest.value = null
      asking = null
      resolve(hasName)
    }
  })
  return asking
}
