import { computed, signal } from '@preact/signals'
import { dayOf } from '../../../contract/gallery-page.ts'
import type { OwnSelectionReply, SelectionReply } from '../../../contract/guests.ts'
import { readerLocale } from '../../shared/reader-locale.ts'
import { call } from '../state/api.ts'
import { page, pickKind } from '../state/page.ts'
import { differingAfter, isPickOf, type PickMarks } from './picked-rules.ts'

/** What the guest has handed in last; null for nothing. */
export const sent = signal<{ count: number; created_at: string } | null>(page.selection)

/** Photos that are picked now and were not then, or the other way round. */
const changed = signal<ReadonlySet<number>>(new Set(page.selection?.changed_photo_ids))

/** Whether other photos are picked by now than were handed in. */
export const isSentChanged = computed(() => sent.value !== null && changed.value.size > 0)

/** The day it was handed in, as the reader writes it. */
export const sentDay = (created_at: string): string =>
  dayOf(readerLocale(page.locale, navigator.languages), created_at, Date.now())

export function noteSent({ count, created_at }: SelectionReply): void {
  sent.value = { count, created_at }
  changed.value = new Set()
}

/** The marks of a photo are others now. */
export function notePicks(photoId: number, was: PickMarks, is: PickMarks): void {
  if (sent.peek() === null) return
  changed.value = differingAfter(changed.peek(), photoId, isPickOf(pickKind, was), isPickOf(pickKind, is))
}

/** Asks what differs, where marks have arrived that the page does not know. Throws as `call` does. */
export async function askForSent(): Promise<void> {
  const { selection } = await call<typeof OwnSelectionReply>('/selection')
  sent.value = selection
  changed.value = new Set(selection?.changed_photo_ids)
}
