import type { Selectable } from 'kysely'
import type { Database, Flag, Tx } from '../../platform/database/tables.ts'
import { days } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'

/** An imported file that is still at its path, or a rejected file. */
export type ImportedFileTable = {
  /** Equals `WaitingFile.digest`. */
  path_digest: string
  event_id: number
  path: string
  size_bytes: number
  modified_at: number
  content_hash: string | null
  problem: string | null
  /**
   * 1: the file cannot be moved, and this row prevents another import. 0: an imported file that must still be moved, or
   * a rejected file that was moved.
   */
  is_kept: Flag
  noted_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    imported_files: ImportedFileTable
  }
}

export type ImportedFileRow = Selectable<ImportedFileTable>

const digestsPerQuery = 500

export async function findImported(db: Database, digests: readonly string[]): Promise<Map<string, ImportedFileRow>> {
  const found = new Map<string, ImportedFileRow>()
  for (let start = 0; start < digests.length; start += digestsPerQuery) {
    const wanted = digests.slice(start, start + digestsPerQuery)
    const rows = await db.selectFrom('imported_files').selectAll().where('path_digest', 'in', wanted).execute()
    for (const row of rows) found.set(row.path_digest, row)
  }
  return found
}

/** Replaces an earlier row of the same path. */
export async function recordImported(db: Database | Tx, row: ImportedFileRow): Promise<void> {
  const { path_digest: _, ...values } = row
  await db
    .insertInto('imported_files')
    .values(row)
    .onConflict((conflict) => conflict.column('path_digest').doUpdateSet(values))
    .execute()
}

export async function deleteImported(db: Database, digest: string): Promise<void> {
  await db.deleteFrom('imported_files').where('path_digest', '=', digest).execute()
}

/**
 * Deletes rows of imported files that are no longer at their path, except files that could not be moved. `existing`:
 * the digests of all files that the scan found for the event.
 */
export async function deleteMoved(db: Database, eventId: number, existing: ReadonlySet<string>): Promise<void> {
  const rows = await db
    .selectFrom('imported_files')
    .select('path_digest')
    .where('event_id', '=', eventId)
    .where('is_kept', '=', 0)
    .where('problem', 'is', null)
    .execute()
  for (const { path_digest } of rows) if (!existing.has(path_digest)) await deleteImported(db, path_digest)
}

const rejectedListedMs = days(7)

export const listRejected = ({ db, clock }: AppContext, maxRows: number) =>
  db
    .selectFrom('imported_files')
    .select(['path', 'problem', 'noted_at'])
    .where('problem', 'is not', null)
    .where('noted_at', '>=', clock.now() - rejectedListedMs)
    .orderBy('noted_at', 'desc')
    .orderBy('path_digest')
    .limit(maxRows)
    .execute()

/** Deletes rows of rejected files after 7 days. Rows of files that cannot be moved stay. */
export async function pruneRejected({ db, clock }: AppContext): Promise<void> {
  await db
    .deleteFrom('imported_files')
    .where('problem', 'is not', null)
    .where('noted_at', '<', clock.now() - rejectedListedMs)
    .where('is_kept', '=', 0)
    .execute()
}
