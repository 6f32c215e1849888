import type { Generated, Selectable } from 'kysely'
import { days } from '../platform/clock.ts'
import type { Database } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'

export type BackupTable = {
  id: Generated<number>
  /** Null for a run that failed before there was one. */
  name: string | null
  started_at: number
  finished_at: number
  /** Why the run has failed, in a word; null for a backup that stands. */
  problem: string | null
  files: number
  bytes: number
  /** Of those, what was not in the folder yet. */
  copied_bytes: number
  /** Files that the instance had lost, and such that are not what their rows say. */
  missing: number
  damaged: number
  /** When the backup was last restored for a trial, and how much was wrong with it. */
  verified_at: number | null
  verified_problems: number | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    backups: BackupTable
  }
}

export type BackupRow = Selectable<BackupTable>

const rowsKeptMs = days(365)

/** Tells the instance how a run has ended. */
export const recordBackup = (db: Database, row: Omit<BackupRow, 'id' | 'verified_at' | 'verified_problems'>) =>
  inTransaction(db, 'work backups', async (tx) => {
    await tx
      .insertInto('backups')
      .values({ ...row, verified_at: null, verified_problems: null })
      .execute()
    await tx
      .deleteFrom('backups')
      .where('finished_at', '<', row.finished_at - rowsKeptMs)
      .execute()
  })

/** False: the instance knows no backup of this name. */
export async function recordVerification(
  db: Database,
  name: string,
  found: { verified_at: number; verified_problems: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('backups').set(found).where('name', '=', name).executeTakeFirst()
  return numUpdatedRows > 0n
}

export type LastBackups = { last: BackupRow | undefined; lastGood: BackupRow | undefined }

/** The last run, and the last that has made a backup. */
export async function findLastBackups(db: Database): Promise<LastBackups> {
  const newest = db.selectFrom('backups').selectAll().orderBy('id', 'desc').limit(1)
  const last = await newest.executeTakeFirst()
  const isGood = last === undefined || last.problem === null
  return { last, lastGood: isGood ? last : await newest.where('problem', 'is', null).executeTakeFirst() }
}
