import { isPickedAsWanted, type PickersWanted, type PickerWay, pickerWays } from '../../../contract/picker-ways.ts'

/** Which picks are looked at and taken home. */
export type PicksChoice = {
  guestIds: readonly string[]
  /** How those guests have picked; for one of them, `all` is the same as `any`. */
  way: PickerWay
  /** Without guests: `overlap` is picked by two or more, `everybody` by all who have picked at all. */
  show: 'all' | 'overlap' | 'everybody'
}

/** As it stands in the address of the page. */
export type PicksSearch = { by?: string; way?: string; show?: string; sort?: string }

export const readPicksSearch = (search: Record<string, unknown>): PicksSearch =>
  Object.fromEntries(
    (['by', 'way', 'show', 'sort'] as const).flatMap((key) => {
      const value = search[key]
      return typeof value === 'string' && value !== '' ? [[key, value]] : []
    }),
  )

/** Guests of the address who are not there, or no longer, are passed over. */
export function choiceIn({ by = '', way, show }: PicksSearch, guestIds: readonly string[]): PicksChoice {
  const named = by.split(',')
  return {
    guestIds: guestIds.filter((id) => named.includes(id)),
    way: pickerWays.find((one) => one === way) ?? 'any',
    show: show === 'overlap' || show === 'everybody' ? show : 'all',
  }
}

/** `pickers`: all who have picked anything. */
export function wantedOf({ guestIds, way, show }: PicksChoice, pickers: readonly string[]): PickersWanted {
  if (guestIds.length > 0) return { guestIds, way, fewest: 1 }
  if (show === 'everybody') return { guestIds: pickers, way: 'all', fewest: 1 }
  return { guestIds: [], way: 'any', fewest: show === 'overlap' ? 2 : 1 }
}

/** The same, asked of an export. */
export function exportQueryOf({ guestIds, way, fewest }: PickersWanted) {
  return guestIds.length > 0
    ? { picked_by: guestIds.join(','), pickers: way }
    : { min_pickers: fewest, pickers: 'any' as const }
}

export const chosenAmong = <Photo extends { picked_by: readonly string[] }>(
  photos: readonly Photo[],
  wanted: PickersWanted,
): Photo[] => photos.filter(({ picked_by }) => isPickedAsWanted(picked_by, wanted))

/** The ones that most guests agree on first; among equals the order stays. */
export const mostPickedFirst = <Photo extends { picked_by: readonly string[] }>(photos: readonly Photo[]): Photo[] =>
  photos.toSorted((a, b) => b.picked_by.length - a.picked_by.length)
