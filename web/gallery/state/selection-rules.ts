/** Gives the photos from `from` to `to` the state of `from`. If one of the two is not shown, only selects `to`. */
export function applyRange(
  selected: ReadonlySet<number>,
  shown: readonly number[],
  from: number | null,
  to: number,
): Set<number> {
  const next = new Set(selected)
  const [start, end] = [from === null ? -1 : shown.indexOf(from), shown.indexOf(to)]
  if (start < 0 || end < 0 || from === null) return next.add(to)
  const isAdding = selected.has(from)
  for (const id of shown.slice(Math.min(start, end), Math.max(start, end) + 1)) {
    if (isAdding) next.add(id)
    else next.delete(id)
  }
  return next
}

/** Photos that are not shown come last. */
export function sortAsShown(selected: ReadonlySet<number>, shown: readonly number[]): number[] {
  const first = shown.filter((id) => selected.has(id))
  const seen = new Set(first)
  return [...first, ...[...selected].filter((id) => !seen.has(id))]
}
