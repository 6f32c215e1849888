import type { Marks } from './decide-marks.ts'
import type { MatchReason } from './match-shots.ts'

type Difference = { path: string; photo_id: number; file: Marks; service: Marks }

/** Printed as JSON with `--json`. Paths are relative to the folder; those of shots have no extension. */
export type SyncReport = {
  event_id: number
  photos: number
  matched: Record<MatchReason, number>
  /** Sidecars. */
  written: string[]
  /** JPEG and DNG files. */
  embedded: string[]
  pushed: Array<{ path: string; photo_id: number }>
  /** The file has other marks than the service, because only the file has changed since the last sync. */
  kept: Difference[]
  /** Both sides have changed. */
  conflicts: Difference[]
  /** Both sides have changed, and it is not known which one is newer. They do not change. */
  undecided: Difference[]
  ambiguous: Array<{ paths: string[]; photo_ids: number[]; names: string[] }>
  /** Photos with marks whose file is not in the folder. */
  missing: Array<{ photo_id: number; name: string }>
  /** Pictures without a raw file and without a sidecar, where marks are not written into pictures. */
  without_sidecar: string[]
  failed: Array<{ path: string; reason: string }>
}

export const createSyncReport = (eventId: number): SyncReport => ({
  event_id: eventId,
  photos: 0,
  matched: { identity: 0, content: 0, nameAndTime: 0, name: 0 },
  written: [],
  embedded: [],
  pushed: [],
  kept: [],
  conflicts: [],
  undecided: [],
  ambiguous: [],
  missing: [],
  without_sidecar: [],
  failed: [],
})

/** Whether the marks of all photos are where they belong. */
export const isComplete = ({ undecided, ambiguous, missing, without_sidecar: without, failed }: SyncReport): boolean =>
  undecided.length + ambiguous.length + missing.length + without.length + failed.length === 0

const maxListed = 20

/** Returns lines for people. */
export function formatReport(
  report: SyncReport,
  { isDryRun, isPush }: { isDryRun: boolean; isPush: boolean },
): string[] {
  const { matched, photos } = report
  const count = Object.values(matched).reduce((sum, one) => sum + one, 0)
  const reasons = `${matched.identity} by an earlier sync, ${matched.content} by content, ${matched.nameAndTime} by name and time, ${matched.name} by name`
  const done = isPush
    ? `${report.pushed.length} marks ${isDryRun ? 'would be sent' : 'sent'} to the service.`
    : `${report.written.length} sidecars ${isDryRun ? 'would be written' : 'written'}${describeEmbedded(report, isDryRun)}.`
  const formatMarks = ({ rating, color }: Marks) => `${rating ?? 'no stars'}, ${color ?? 'no color'}`
  const formatDifference = ({ path, file, service }: Difference) =>
    `${path}: ${formatMarks(file)} in the file, ${formatMarks(service)} in the service`
  return [
    `${count} pictures of the folder belong to the ${photos} photos of the event (${reasons}).`,
    done,
    ...list('Changed only in the file, left as they are', report.kept.map(formatDifference)),
    ...list('Changed on both sides', report.conflicts.map(formatDifference)),
    ...list(
      'Changed on both sides, it is unknown which one is newer, left alone',
      report.undecided.map(formatDifference),
    ),
    ...list(
      'Ambiguous, left alone',
      report.ambiguous.map(({ paths, names }) => `${paths.join(', ')}: photos ${names.join(', ')}`),
    ),
    ...list(
      'Marked, but not in the folder',
      report.missing.map(({ name }) => name),
    ),
    ...list(
      'Marked, but without a raw file or a sidecar (--embed writes into JPEG and DNG files, no others)',
      report.without_sidecar,
    ),
    ...list(
      'Failed',
      report.failed.map(({ path, reason }) => `${path}: ${reason}`),
    ),
  ]
}

const describeEmbedded = ({ embedded }: SyncReport, isDryRun: boolean): string =>
  embedded.length === 0 ? '' : `, ${embedded.length} JPEG and DNG files ${isDryRun ? 'would be ' : ''}changed inside`

function list(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length > maxListed ? [`  and ${lines.length - maxListed} more (--json lists all)`] : []
  return [`${title} (${lines.length}):`, ...lines.slice(0, maxListed).map((line) => `  ${line}`), ...more]
}
