/** `anchor` is the index where a range with Shift starts. */
export type Selection = { ids: ReadonlySet<number>; anchor: number | null }

export const emptySelection: Selection = { ids: new Set(), anchor: null }

export const selectSingle = (id: number, index: number): Selection => ({ ids: new Set([id]), anchor: index })

export function toggleSelected({ ids }: Selection, id: number, index: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: index }
}

export function selectRange({ ids, anchor }: Selection, range: readonly number[], keepsPrevious: boolean): Selection {
  return { ids: new Set([...(keepsPrevious ? ids : []), ...range]), anchor }
}

export const orderRange = (anchor: number | null, to: number): [number, number] => [
  Math.min(anchor ?? to, to),
  Math.max(anchor ?? to, to),
]

/** Clears the anchor, because deleted photos change the indexes. */
export function removeFromSelection({ ids }: Selection, removedIds: readonly number[]): Selection {
  const next = new Set(ids)
  for (const id of removedIds) next.delete(id)
  return { ids: next, anchor: null }
}

/** Returns the same selection if all of its photos are in `listed`. Otherwise clears the anchor, like `removeFromSelection`. */
export function keepListed(selection: Selection, listed: ReadonlySet<number>): Selection {
  const kept = [...selection.ids].filter((id) => listed.has(id))
  return kept.length === selection.ids.size ? selection : { ids: new Set(kept), anchor: null }
}
