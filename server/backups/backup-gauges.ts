import { inSnapshot } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { findLastBackups, type LastBackups } from './backup-rows.ts'

/** A gauge without a backup to report on is NaN, so that alerts do not fire for a new instance. */
export function addBackupGauges({ gauges, db, clock }: AppContext): void {
  const gauge = (
    name: string,
    help: string,
    read: (lastBackups: LastBackups, now: number) => number | null | undefined,
  ) => ({
    name: `proofroom_backup_${name}`,
    help,
    type: 'gauge' as const,
    // A snapshot does not need the write lock.
    read: async () => (await inSnapshot(db, async (tx) => read(await findLastBackups(tx), clock.now()))) ?? Number.NaN,
  })
  const secondsSince = (moment: number | null | undefined, now: number) =>
    moment === null || moment === undefined ? null : Math.round((now - moment) / 1000)
  gauges.add(
    gauge('age_seconds', 'Age of the last good backup in seconds.', ({ lastGood }, now) =>
      secondsSince(lastGood?.started_at, now),
    ),
    gauge('last_run_succeeded', 'Whether the last run made a backup: 1 or 0.', ({ last }) =>
      last === undefined ? null : Number(last.problem === null),
    ),
    gauge('bytes', 'Total size of the files in the last good backup.', ({ lastGood }) => lastGood?.bytes),
    gauge(
      'files_lost',
      'Files that are missing or damaged in the last good backup because the instance had lost them.',
      ({ lastGood }) => lastGood && lastGood.missing + lastGood.damaged,
    ),
    gauge(
      'verified_age_seconds',
      'Seconds since the last good backup was verified by a test restore.',
      ({ lastGood }, now) => secondsSince(lastGood?.verified_at, now),
    ),
    gauge('verified_problems', 'Problems found by that verification.', ({ lastGood }) => lastGood?.verified_problems),
  )
}
