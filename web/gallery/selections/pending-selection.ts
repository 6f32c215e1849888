import { signal } from '@preact/signals'
import type { SelectionBody } from '../../../contract/gallery/selections.ts'
import { readStoredJson, writeStored } from '../../shared/browser-storage.ts'
import { isSelectionUnknown, lastSelection } from '../marks/last-selection.ts'
import { guestId } from '../marks/own-marks.ts'
import { page } from '../state/page.ts'
import { storeDraft } from '../state/stored-draft.ts'

/** The name of the stored message that the guest has begun to write. */
export const noteStorageKey = `note ${page.slug}`

/**
 * A selection that the guest has asked to send. It is stored until it is sent or undone, so that a closed page does not
 * lose it. Another guest in this browser never sends it.
 */
export type PendingSelection = {
  /** The `Idempotency-Key`. */
  key: string
  /** When the selection before it was sent. Once another one exists, this one must not be sent again. */
  before: string | null
  /** What the guest has entered in the dialog; missing if it could not be loaded. */
  body?: SelectionBody
  /** Set while it is not known whether the service has received the one that was taken back before. */
  followsUnknown?: boolean
}

/** `counting`: it will be sent soon. `waiting`: it is sent when there is a connection. `sent`: recently. */
type SendStage = 'counting' | 'sending' | 'waiting' | 'sent'

export const sendStage = signal<SendStage | null>(null)

type RefusedField = 'guest_name' | 'guest_email'

/** The service has refused a selection because of this field. The bar opens the dialog, which asks for it. */
export const refusedField = signal<RefusedField | null>(null)

export function takeRefusedField(): RefusedField | null {
  const field = refusedField.peek()
  refusedField.value = null
  return field
}

const storageKey = `picks ${page.slug} ${guestId}`
let inMemory: PendingSelection | null = null

/** Null removes it. Without storage, it lasts as long as the page. */
export function storePending(pending: PendingSelection | null): void {
  inMemory = pending
  writeStored('localStorage', storageKey, pending && JSON.stringify(pending))
}

export function storeNewPending(key: string, body?: SelectionBody): void {
  const before = lastSelection.peek()?.created_at ?? null
  storePending({ key, before, ...(body && { body }), ...(isSelectionUnknown() && { followsUnknown: true }) })
}

/** The message of the guest stays as a draft. */
export function withdrawPending(): void {
  const note = readPending()?.body?.note
  if (note) storeDraft(noteStorageKey, note)
  storePending(null)
}

export const readPending = (): PendingSelection | null =>
  readStoredJson<PendingSelection>('localStorage', storageKey) ?? inMemory
