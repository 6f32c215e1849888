import type { ColorLabel } from '../../../contract/color-labels.ts'

/** `rating`: 1 to 5, or -1 for a rejected photo. Null: none. */
export type Marks = { rating: number | null; color: ColorLabel | null }

export const preferences = ['client', 'mine'] as const
export type Preference = (typeof preferences)[number]

export type Decision = {
  /** What the file gets; missing keys stay. */
  write: Partial<Marks>
  /** What differs and stays as it is in the file. */
  kept: Array<keyof Marks>
  /** What both sides have changed. `write` or `kept` has it too, by the preference. */
  conflicts: Array<keyof Marks>
}

/**
 * Compares the marks of a file with those of the service. `base` is what both had after the last sync, or null. The side
 * that has changed since wins; without `base`, a side without a mark has not changed.
 */
export function decideMarks(
  { base, mine, theirs }: { base: Marks | null; mine: Marks; theirs: Marks },
  prefer: Preference,
): Decision {
  const decision: Decision = { write: {}, kept: [], conflicts: [] }
  for (const key of ['rating', 'color'] as const) {
    if (mine[key] === theirs[key]) continue
    const hasMineChanged = base === null ? mine[key] !== null : mine[key] !== base[key]
    const haveTheirsChanged = base === null ? theirs[key] !== null : theirs[key] !== base[key]
    if (hasMineChanged && haveTheirsChanged) decision.conflicts.push(key)
    const takesTheirs = hasMineChanged && haveTheirsChanged ? prefer === 'client' : haveTheirsChanged
    if (takesTheirs) Object.assign(decision.write, { [key]: theirs[key] })
    else decision.kept.push(key)
  }
  return decision
}
