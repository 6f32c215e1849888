export const pickerModes = ['any', 'all', 'only'] as const
export type PickerMode = (typeof pickerModes)[number]

export type PickerFilter = { guestIds: readonly string[]; way: PickerMode; minPickers: number }

/** `pickedBy`: the guests who picked the photo. Without `guestIds`, only their number (`minPickers`) matters. */
export function matchesPickerFilter(pickedBy: readonly string[], { guestIds, way, minPickers }: PickerFilter): boolean {
  if (pickedBy.length < Math.max(1, minPickers)) return false
  if (guestIds.length === 0) return true
  if (way === 'any') return guestIds.some((id) => pickedBy.includes(id))
  const isByAll = guestIds.every((id) => pickedBy.includes(id))
  return isByAll && (way === 'all' || pickedBy.length === guestIds.length)
}
