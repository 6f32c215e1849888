import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** This table exists in a PostgreSQL database until the copy of another database into it is complete. */
export const unfinishedCopyTable = 'unfinished_copy'

export class DatabaseNotEmpty extends Error {}

/** The service must not open a database with an unfinished copy, because rows may be missing. */
export async function isUnfinishedCopy(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass(${sql.lit(unfinishedCopyTable)}) as found`.execute(db)
  return rows[0]?.found !== null
}

/**
 * Marks an empty database, unless it has a mark. Returns the recorded source version, '' for a new mark. Throws
 * DatabaseNotEmpty for a database with tables but without a mark.
 */
export async function ensureCopyMark(db: Database): Promise<string> {
  if (await isUnfinishedCopy(db)) {
    const { rows } = await sql<{ source: string }>`select source from ${markTable}`.execute(db)
    return rows[0]?.source ?? ''
  }
  const { rows } = await sql`
    select from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace limit 1`.execute(db)
  if (rows.length > 0) throw new DatabaseNotEmpty('The database already contains tables')
  await sql`create table ${markTable} (source text not null)`.execute(db)
  await sql`insert into ${markTable} (source) values ('')`.execute(db)
  return ''
}

/** Records the source version of the copied rows; '' means that the copy cannot be continued. */
export async function recordSource(db: Database, source: string): Promise<void> {
  await sql`update ${markTable} set source = ${source}`.execute(db)
}

export async function removeCopyMark(db: Database): Promise<void> {
  await sql`drop table ${markTable}`.execute(db)
}

const markTable = sql.table(unfinishedCopyTable)
