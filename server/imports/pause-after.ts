import type { ScanReport } from './look-for-imports.ts'

/** Limits listing to about a twentieth of the time. */
const pausePerListing = 20
/** A single slow listing must not cause a pause of hours. */
const maxRegularPauses = 30

/** Returns milliseconds until the next scan; 0 if files are left. */
export function pauseAfter(
  { hasMore, listingMs }: Pick<ScanReport, 'hasMore' | 'listingMs'>,
  regularMs: number,
): number {
  if (hasMore) return 0
  return Math.max(regularMs, Math.min(listingMs * pausePerListing, maxRegularPauses * regularMs))
}
