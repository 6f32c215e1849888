import { signal } from '@preact/signals'
import { page } from '../state/page.ts'

export const guestName = signal(page.viewer.guest?.name ?? null)
export const guestEmail = signal(page.viewer.guest?.email ?? null)

/** Set while the name dialog is needed. Call the function when the dialog closes. */
export const nameRequest = signal<((hasName: boolean) => void) | null>(null)

let pendingRequest: Promise<boolean> | null = null

/** Opens the name dialog if a required name is missing. Resolves to false if the guest gives none. */
export function ensureGuestName(isRequired = page.feedback.require_guest_name): Promise<boolean> {
  if (!isRequired || guestName.peek()) return Promise.resolve(true)
  pendingRequest ??= new Promise((resolve) => {
    nameRequest.value = (hasName) => {
      nameRequest.value = null
      pendingRequest = null
      resolve(hasName)
    }
  })
  return pendingRequest
}
