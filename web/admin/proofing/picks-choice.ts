import { isPickedAsWanted, type PickersWanted, type PickerWay, pickerWays } from '../../../contract/picker-ways.ts'

/** The filter for shown and exported picks. */
export type PicksChoice = {
  guestIds: readonly string[]
  /** For a single guest, `all` and `any` are the same. */
  way: PickerWay
  /** Used without `guestIds`: `overlap` needs at least two guests, `everybody` all guests who picked any photo. */
  show: 'all' | 'overlap' | 'everybody'
}

export type PicksSearch = { by?: string; way?: string; show?: string; sort?: string }

export const readPicksSearch = (search: Record<string, unknown>): PicksSearch =>
  Object.fromEntries(
    (['by', 'way', 'show', 'sort'] as const).flatMap((key) => {
      const value = search[key]
      return typeof value === 'string' && value !== '' ? [[key, value]] : []
    }),
  )

/** Ignores guests in the address that no longer exist. */
export function choiceIn({ by = '', way, show }: PicksSearch, guestIds: readonly string[]): PicksChoice {
  const named = by.split(',')
  return {
    guestIds: guestIds.filter((id) => named.includes(id)),
    way: pickerWays.find((one) => one === way) ?? 'any',
    show: show === 'overlap' || show === 'everybody' ? show : 'all',
  }
}

/** `pickers` are the ids of all guests who picked any photo. */
export function wantedOf({ guestIds, way, show }: PicksChoice, pickers: readonly string[]): PickersWanted {
  if (guestIds.length > 0) return { guestIds, way, fewest: 1 }
  if (show === 'everybody') return { guestIds: pickers, way: 'all', fewest: 1 }
  return { guestIds: [], way: 'any', fewest: show === 'overlap' ? 2 : 1 }
}

export function exportQueryOf({ guestIds, way, fewest }: PickersWanted) {
  return guestIds.length > 0
    ? { picked_by: guestIds.join(','), pickers: way }
    : { min_pickers: fewest, pickers: 'any' as const }
}

export const chosenAmong = <Photo extends { picked_by: readonly string[] }>(
  photos: readonly Photo[],
  wanted: PickersWanted,
): Photo[] => photos.filter(({ picked_by }) => isPickedAsWanted(picked_by, wanted))

export const mostPickedFirst = <Photo extends { picked_by: readonly string[] }>(photos: readonly Photo[]): Photo[] =>
  photos.toSorted((a, b) => b.picked_by.length - a.picked_by.length)
