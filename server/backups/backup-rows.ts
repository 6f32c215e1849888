import type { Generated, Selectable } from 'kysely'
import type { Database } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { days } from '../platform/time/clock.ts'

export type BackupTable = {
  id: Generated<number>
  /** Null for a failed run that left no backup. */
  name: string | null
  started_at: number
  finished_at: number
  problem: string | null
  files: number
  bytes: number
  /** The part of `bytes` that was not yet in the folder. */
  copied_bytes: number
  /** `missing`: files that the instance had lost. `damaged`: files that differ from their rows. */
  missing: number
  damaged: number
  /** The time of the last verification and the number of problems that it found. */
  verified_at: number | null
  verified_problems: number | null
  /** How the backup contains the secrets of the instance; null for failed runs and those of earlier versions. */
  secrets: 'encrypted' | 'plain' | 'none' | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    backups: BackupTable
  }
}

export type BackupRow = Selectable<BackupTable>

const rowsKeptMs = days(365)

/** Also deletes rows older than a year. */
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

/** Returns false if the instance has no backup of this name. */
export async function recordVerification(
  db: Database,
  name: string,
  found: { verified_at: number; verified_problems: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('backups').set(found).where('name', '=', name).executeTakeFirst()
  return numUpdatedRows > 0n
}

export type LastBackups = { last: BackupRow | undefined; lastGood: BackupRow | undefined }

export async function findLastBackups(db: Database): Promise<LastBackups> {
  const newest = db.selectFrom('backups').selectAll().orderBy('id', 'desc').limit(1)
  const last = await newest.executeTakeFirst()
  const isGood = last === undefined || last.problem === null
  return { last, lastGood: isGood ? last : await newest.where('problem', 'is', null).executeTakeFirst() }
}
