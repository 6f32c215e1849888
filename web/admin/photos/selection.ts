/** The photos chosen for what is done to many, by id; `anchor` is the place from which Shift reaches. */
export type Selection = { ids: ReadonlySet<number>; anchor: number | null }

export const nothingSelected: Selection = { ids: new Set(), anchor: null }

export const only = (id: number, index: number): Selection => ({ ids: new Set([id]), anchor: index })

export function toggled({ ids }: Selection, id: number, index: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: index }
}

/** All from the anchor to there, and what was chosen before unless it is to go. The anchor stays. */
export function withRange({ ids, anchor }: Selection, range: readonly number[], isKept: boolean): Selection {
  return { ids: new Set([...(isKept ? ids : []), ...range]), anchor }
}

/** The first and the last place of a range, whichever way it was drawn. */
export const rangeOf = (anchor: number | null, to: number): [number, number] => [
  Math.min(anchor ?? to, to),
  Math.max(anchor ?? to, to),
]

/** Places have moved where photos are no more: the next range begins anew. */
export function without({ ids }: Selection, gone: readonly number[]): Selection {
  const next = new Set(ids)
  for (const id of gone) next.delete(id)
  return { ids: next, anchor: null }
}
