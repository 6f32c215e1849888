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
    gauge('age_seconds', 'Since the moment of the rows of the last good backup.', ({ lastGood }, now) =>
      secondsSince(lastGood?.started_at, now),
    ),
    gauge('last_run_succeeded', 'Whether the last run has made a backup: 1 or 0.', ({ last }) =>
      last === undefined ? null : Number(last.problem === null),
    ),
    gauge('bytes', 'All files of the last good backup.', ({ lastGood }) => lastGood?.bytes),
    gauge(
      'files_lost',
      'Files missing from the last good backup, or damaged in it, because the instance had lost them.',
      ({ lastGood }) => lastGood && lastGood.missing + lastGood.damaged,
    ),
    gauge('verified_age_seconds', 'Since the last good backup was restored for a trial.', ({ lastGood }, now) =>
      secondsSince(lastGood?.verified_at, now),
    ),
    gauge('verified_problems', 'What that trial found to be wrong.', ({ lastGood }) => lastGood?.verified_problems),
  )
}
