import { computed, signal } from '@preact/signals'
import { dayOf } from '../../../contract/gallery/gallery-page.ts'
import type { OwnSelection, OwnSelectionReply, SelectionReply } from '../../../contract/gallery/selections.ts'
import { call } from '../state/api.ts'
import { page, pickKind, readerLocale } from '../state/page.ts'
import { countsAsPick, type PickMarks, toggleDifference } from './pick-rules.ts'

export const lastSelection = signal<Omit<OwnSelection, 'changed_photo_ids'> | null>(page.selection)

export const changedPicks = signal<ReadonlySet<number>>(new Set(page.selection?.changed_photo_ids))

export const isSelectionChanged = computed(() => lastSelection.value !== null && changedPicks.value.size > 0)

let isUnknown = false

/** Returns whether the service may have received a selection that was taken back. */
export const isSelectionUnknown = (): boolean => isUnknown

/** Asks the service whether it has received a selection that was taken back. */
export function checkWithdrawn(): void {
  isUnknown = true
  reloadSelection().catch(() => undefined)
}

export const formatSentDay = (created_at: string): string => dayOf(readerLocale, created_at, Date.now())

export function recordSelection({ number, count, created_at }: SelectionReply): void {
  lastSelection.value = { number, count, created_at, notified_at: null }
  changedPicks.value = new Set()
  isUnknown = false
}

export function recordPicks(photoId: number, was: PickMarks, is: PickMarks): void {
  if (lastSelection.peek() === null) return
  const [wasPick, isPick] = [countsAsPick(pickKind, was), countsAsPick(pickKind, is)]
  changedPicks.value = toggleDifference(changedPicks.peek(), photoId, wasPick, isPick)
}

/** Call it when the service has marks that this page does not include. Throws ApiError and Unreachable. */
export async function reloadSelection(): Promise<void> {
  const { selection } = await call<typeof OwnSelectionReply>('/selection')
  lastSelection.value = selection
  changedPicks.value = new Set(selection?.changed_photo_ids)
  isUnknown = false
}
