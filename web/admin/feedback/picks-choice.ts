import { matchesPickerFilter, type PickerFilter, type PickerMode, pickerModes } from '../../../contract/picker-modes.ts'

export type PicksChoice = {
  guestIds: readonly string[]
  /** Who picked a photo: `any` of `guestIds`, `all` of them, or `only` them (all of them and nobody else). */
  way: PickerMode
  /** Used without `guestIds`: `overlap` needs at least two guests, `everybody` all guests who picked any photo. */
  show: 'all' | 'overlap' | 'everybody'
}

export type PicksSearch = { by?: string; way?: string; show?: string; sort?: string }

/** Ignores unknown guests and invalid values in the address. */
export function parsePicksChoice({ by = '', way, show }: PicksSearch, guestIds: readonly string[]): PicksChoice {
  const named = by.split(',')
  return {
    guestIds: guestIds.filter((id) => named.includes(id)),
    way: pickerModes.find((one) => one === way) ?? 'any',
    show: show === 'overlap' || show === 'everybody' ? show : 'all',
  }
}

/** `pickers` are the ids of all guests who picked any photo. */
export function createPickFilter({ guestIds, way, show }: PicksChoice, pickers: readonly string[]): PickerFilter {
  if (guestIds.length > 0) return { guestIds, way, minPickers: 1 }
  if (show === 'everybody') return { guestIds: pickers, way: 'all', minPickers: 1 }
  return { guestIds: [], way: 'any', minPickers: show === 'overlap' ? 2 : 1 }
}

/** An export of the picks of one guest has the marks of this guest, other exports those of all guests. */
export function createExportFilters({ guestIds, way, minPickers }: PickerFilter) {
  const [first, ...others] = guestIds
  if (first === undefined) return { ...guestMarks, min_pickers: minPickers, pickers: 'any' as const }
  const filters = { ...guestMarks, picked_by: guestIds.join(','), pickers: way }
  return others.length === 0 ? { ...filters, marks_of: first } : filters
}

/** Without own marks, and with comments that await approval. */
export const guestMarks = { mark_source: 'client', comments: 'pending' } as const

export const filterPicks = <Photo extends { picked_by: readonly string[] }>(
  photos: readonly Photo[],
  pickFilter: PickerFilter,
): Photo[] => photos.filter(({ picked_by }) => matchesPickerFilter(picked_by, pickFilter))

export const mostPickedFirst = <Photo extends { picked_by: readonly string[] }>(photos: readonly Photo[]): Photo[] =>
  photos.toSorted((a, b) => b.picked_by.length - a.picked_by.length)
