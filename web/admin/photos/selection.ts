/** `anchor` is the index where a range with Shift starts. */
export type Selection = { ids: ReadonlySet<number>; anchor: number | null }

export const nothingSelected: Selection = { ids: new Set(), anchor: null }

export const only = (id: number, index: number): Selection => ({ ids: new Set([id]), anchor: index })

export function toggled({ ids }: Selection, id: number, index: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: index }
}

/** Selects a range. `isKept` also keeps the previous selection. */
export function withRange({ ids, anchor }: Selection, range: readonly number[], isKept: boolean): Selection {
  return { ids: new Set([...(isKept ? ids : []), ...range]), anchor }
}

export const rangeOf = (anchor: number | null, to: number): [number, number] => [
  Math.min(anchor ?? to, to),
  Math.max(anchor ?? to, to),
]

/** Clears the anchor, because deleted photos change the indexes. */
export function without({ ids }: Selection, gone: readonly number[]): Selection {
  const next = new Set(ids)
  for (const id of gone) next.delete(id)
  return { ids: next, anchor: null }
}
