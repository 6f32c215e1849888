import type { LookReport } from './look-for-imports.ts'

/** The pause is this many times as long as listing took, so that listing takes at most a twentieth of the time. */
const pausePerListing = 20
/** The longest pause, in regular ones: one slow listing is no reason to wait for hours. */
const maxRegularPauses = 30

/** Milliseconds from the end of a look at the import folder to the next one; none where files were left over. */
export function pauseAfter(
  { hasMore, listingMs }: Pick<LookReport, 'hasMore' | 'listingMs'>,
  regularMs: number,
): number {
  if (hasMore) return 0
  return Math.max(regularMs, Math.min(listingMs * pausePerListing, maxRegularPauses * regularMs))
}
