export const pickerWays = ['any', 'all', 'only'] as const
export type PickerWay = (typeof pickerWays)[number]

export type PickersWanted = { guestIds: readonly string[]; way: PickerWay; fewest: number }

/** Returns whether the pickers of a photo match the filter. The picks page and the exports both use it. */
export function isPickedAsWanted(pickedBy: readonly string[], { guestIds, way, fewest }: PickersWanted): boolean {
  if (pickedBy.length < Math.max(1, fewest)) return false
  if (guestIds.length === 0) return true
  if (way === 'any') return guestIds.some((id) => pickedBy.includes(id))
  const isByAll = guestIds.every((id) => pickedBy.includes(id))
  return isByAll && (way === 'all' || pickedBy.length === guestIds.length)
}
