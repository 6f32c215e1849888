import { signal } from '@preact/signals'
import { readStored, writeStored } from '../../shared/browser-storage.ts'
import { page } from '../state/page.ts'

export const guestName = signal(page.viewer.guest?.name ?? null)
export const guestEmail = signal(page.viewer.guest?.email ?? null)

/** Set while the name dialog is needed. Call the function when the dialog closes. */
export const nameRequest = signal<((hasName: boolean) => void) | null>(null)

/** Whether the first mark will open the name dialog. */
export const willAskName = (): boolean => !guestName.peek() && (page.feedback.require_guest_name || shouldAsk())

let pendingRequest: Promise<boolean> | null = null

/**
 * Opens the name dialog if a required name is missing, or once in this browser if the event asks for names. Resolves to
 * false if a required name is not given.
 */
export function ensureGuestName(isRequired = page.feedback.require_guest_name): Promise<boolean> {
  if (guestName.peek() || !(isRequired || shouldAsk())) return Promise.resolve(true)
  pendingRequest ??= new Promise((resolve) => {
    nameRequest.value = (hasName) => {
      nameRequest.value = null
      pendingRequest = null
      recordAsked()
      resolve(hasName || !isRequired)
    }
  })
  return pendingRequest
}

const askedStorageKey = `name asked ${page.slug}`
let wasAsked = false

/** Without storage, the guest is asked again after a reload. */
const shouldAsk = (): boolean =>
  page.feedback.ask_guest_name && !wasAsked && readStored('localStorage', askedStorageKey) === null

function recordAsked(): void {
  wasAsked = true
  writeStored('localStorage', askedStorageKey, '1')
}
