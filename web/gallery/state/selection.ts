import { signal } from '@preact/signals'
import { openLayer } from './history-layers.ts'
import { outline } from './photos.ts'
import { applyRange, sortAsShown } from './selection-rules.ts'

/** Ids of the selected photos, including photos that filters hide. Null when selection mode is off. */
export const selected = signal<ReadonlySet<number> | null>(null)

let leave = () => {}

/** The photo that was selected or deselected last. The next range starts there. */
let anchor: number | null = null
export const getLastTouched = (): number | null => anchor

const shownIds = (): number[] => outline.peek().map(({ id }) => id)

export function startSelecting(first?: number): void {
  if (selected.peek() === null) {
    clearSelected()
    leave = openLayer(stopSelecting)
  }
  if (first !== undefined && !selected.peek()?.has(first)) toggleSelected(first)
}

export function stopSelecting(): void {
  selected.value = null
  leave()
}

export function toggleSelected(id: number): void {
  const next = new Set(selected.peek())
  if (!next.delete(id)) next.add(id)
  selected.value = next
  anchor = id
}

export function selectRange(to: number): void {
  const before = selected.peek() ?? new Set<number>()
  selected.value = applyRange(before, shownIds(), anchor, to)
  anchor = to
}

export function selectAllShown(): void {
  selected.value = new Set([...(selected.peek() ?? []), ...shownIds()])
}

export function clearSelected(): void {
  selected.value = new Set()
  anchor = null
}

export const selectedIds = (): number[] => sortAsShown(selected.peek() ?? new Set(), shownIds())
