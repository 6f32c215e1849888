import type { ColorLabel } from '../../../contract/color-labels.ts'

/** `rating`: 1 to 5, or -1 for a rejected photo. Null: none. */
export type Marks = { rating: number | null; color: ColorLabel | null }
export const noMarks: Marks = { rating: null, color: null }

export const preferences = ['client', 'mine', 'newest'] as const
export type Preference = (typeof preferences)[number]
export type Side = 'client' | 'mine'

export type Decision = {
  /** The marks that the file gets; missing keys do not change. */
  write: Partial<Marks>
  /** Marks that differ and do not change in the file. */
  kept: Array<keyof Marks>
  /** Marks that both sides have changed. `write` or `kept` also has them if there is a preferred side. */
  conflicts: Array<keyof Marks>
}

/**
 * Compares the marks of a file with those of the service. `base` is what both had after the last sync, or null. The side
 * that has changed since wins; without `base`, a side without a mark has not changed. `prefer`: the side that wins where
 * both have changed, or null to leave the mark alone.
 */
export function decideMarks(
  { base, mine, theirs }: { base: Marks | null; mine: Marks; theirs: Marks },
  prefer: Side | null,
): Decision {
  const decision: Decision = { write: {}, kept: [], conflicts: [] }
  for (const key of ['rating', 'color'] as const) {
    if (mine[key] === theirs[key]) continue
    const hasMineChanged = base === null ? mine[key] !== null : mine[key] !== base[key]
    const haveTheirsChanged = base === null ? theirs[key] !== null : theirs[key] !== base[key]
    const isConflict = hasMineChanged && haveTheirsChanged
    if (isConflict) decision.conflicts.push(key)
    if (isConflict && prefer === null) continue
    const takesTheirs = isConflict ? prefer === 'client' : haveTheirsChanged
    if (takesTheirs) Object.assign(decision.write, { [key]: theirs[key] })
    else decision.kept.push(key)
  }
  return decision
}

/** Epoch milliseconds; null if unknown. */
export type MarkTimes = {
  /** The time that the program has written into the file. */
  changedAt: number | null
  /** The time of the file in the file system. */
  modifiedAt: number | null
  /** When file and service were last known to agree. */
  syncedAt: number | null
  /** When the mark was last set in the service. */
  serviceAt: number | null
}

/**
 * Returns when the mark of a file was set, if it differs from the last sync: the time that the program has written,
 * otherwise that of the file. A time before the last sync cannot be that of this change, so it counts as unknown.
 */
export function findFileTime({ changedAt, modifiedAt, syncedAt }: Omit<MarkTimes, 'serviceAt'>): number | null {
  const isAfterSync = (time: number | null) => time !== null && (syncedAt === null || time > syncedAt)
  if (isAfterSync(changedAt)) return changedAt
  return isAfterSync(modifiedAt) ? modifiedAt : null
}

/** Returns the preferred side; null if times are unknown or equal. */
export function choosePreferred(prefer: Preference, times: MarkTimes): Side | null {
  if (prefer !== 'newest') return prefer
  const fileAt = findFileTime(times)
  const { serviceAt } = times
  if (fileAt === null || serviceAt === null || fileAt === serviceAt) return null
  return fileAt > serviceAt ? 'mine' : 'client'
}
