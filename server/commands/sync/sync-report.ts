import type { MessageKey } from '../../../locales/catalogs.ts'
import { t } from '../../platform/text/command-messages.ts'
import type { Marks } from './decide-marks.ts'
import type { MatchReason } from './match-shots.ts'

type Difference = { path: string; photo_id: number; file: Marks; service: Marks }

/** Printed as JSON with `--json`. Paths are relative to the folder; those of shots have no extension. */
export type SyncReport = {
  event_id: number
  /** Of the selection; null without one. */
  round: number | null
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
  round: null,
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
  const { matched, photos, round } = report
  const count = Object.values(matched).reduce((sum, one) => sum + one, 0)
  const done = isPush
    ? t(isDryRun ? 'marksToSend' : 'marksSent', { count: report.pushed.length })
    : `${describeWritten(report, isDryRun).join(', ')}.`
  const formatMarks = ({ rating, color }: Marks) =>
    `${rating ?? t('noStars')}, ${color === null ? t('noColor') : t(`color_${color}`)}`
  const formatDifference = ({ path, file, service }: Difference) =>
    t('syncDifference', { path, file: formatMarks(file), service: formatMarks(service) })
  return [
    ...(round === null ? [] : [t('syncRound', { round, count: photos })]),
    t('syncMatched', { count, photos: t('photosOfEvent', { count: photos }), ...matched }),
    done,
    ...list('listKept', report.kept.map(formatDifference)),
    ...list('listConflicts', report.conflicts.map(formatDifference)),
    ...list('listUndecided', report.undecided.map(formatDifference)),
    ...list(
      'listAmbiguous',
      report.ambiguous.map(({ paths, names }) =>
        t('ambiguous', { count: names.length, paths: paths.join(', '), names: names.join(', ') }),
      ),
    ),
    ...list(
      'listMissing',
      report.missing.map(({ name }) => name),
    ),
    ...list('listWithoutSidecar', report.without_sidecar),
    ...list(
      'listFailed',
      report.failed.map(({ path, reason }) => `${path}: ${reason}`),
    ),
  ]
}

function describeWritten({ written, embedded }: SyncReport, isDryRun: boolean): string[] {
  const sidecars = t(isDryRun ? 'sidecarsToWrite' : 'sidecarsWritten', { count: written.length })
  if (embedded.length === 0) return [sidecars]
  return [sidecars, t(isDryRun ? 'picturesToChange' : 'picturesChanged', { count: embedded.length })]
}

function list(title: MessageKey<'commands'>, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length > maxListed ? [`  ${t('andMoreInJson', { count: lines.length - maxListed })}`] : []
  return [`${t(title)} (${lines.length}):`, ...lines.slice(0, maxListed).map((line) => `  ${line}`), ...more]
}
