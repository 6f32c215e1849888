import { computed, signal } from '@preact/signals'
import { dayOf } from '../../../contract/gallery-page.ts'
import type { OwnSelectionReply, SelectionReply } from '../../../contract/guests.ts'
import { readerLocale } from '../../shared/reader-locale.ts'
import { call } from '../state/api.ts'
import { page, pickKind } from '../state/page.ts'
import { differingAfter, isPickOf, type PickMarks } from './picked-rules.ts'

export const sent = signal<{ count: number; created_at: string } | null>(page.selection)

const changed = signal<ReadonlySet<number>>(new Set(page.selection?.changed_photo_ids))

export const isSentChanged = computed(() => sent.value !== null && changed.value.size > 0)

export const sentDay = (created_at: string): string =>
  dayOf(readerLocale(page.locale, navigator.languages), created_at, Date.now())

export function noteSent({ count, created_at }: SelectionReply): void {
  sent.value = { count, created_at }
  changed.value = new Set()
}

export function notePicks(photoId: number, was: PickMarks, is: PickMarks): void {
  if (sent.peek() === null) return
  changed.value = differingAfter(changed.peek(), photoId, isPickOf(pickKind, was), isPickOf(pickKind, is))
}

/** Needed when the service has received marks that the page does not have. Throws as `call` does. */
export async function askForSent(): Promise<void> {
  const { selection } = await call<typeof OwnSelectionReply>('/selection')
  sent.value = selection
  changed.value = new Set(selection?.changed_photo_ids)
}
