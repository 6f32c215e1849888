import type { ScanReport } from './scan-imports.ts'

/** Limits listing to about a twentieth of the time. */
const pausePerListing = 20
/** A single slow listing must not cause a pause of hours. */
const maxPauseIntervals = 30

/** Returns milliseconds until the next scan; 0 if files are left. */
export function computeScanPauseMs(
  { hasMore, listingMs }: Pick<ScanReport, 'hasMore' | 'listingMs'>,
  intervalMs: number,
): number {
  if (hasMore) return 0
  return Math.max(intervalMs, Math.min(listingMs * pausePerListing, maxPauseIntervals * intervalMs))
}
