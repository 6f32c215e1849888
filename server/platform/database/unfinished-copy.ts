import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** The mark of a PostgreSQL database that is being filled from another one; see `fill-postgres.ts`. */
export const unfinishedCopyTable = 'unfinished_copy'

/** Thrown for a database that holds something already. */
export class DatabaseNotEmpty extends Error {}

/** Not to be served: half of its rows may be missing. */
export async function isUnfinishedCopy(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass(${sql.lit(unfinishedCopyTable)}) as found`.execute(db)
  return rows[0]?.found !== null
}

/** Marks an empty database, or finds the mark of before; answers what it says of the rows. Throws DatabaseNotEmpty. */
export async function markUnfinished(db: Database): Promise<string> {
  if (await isUnfinishedCopy(db)) {
    const { rows } = await sql<{ source: string }>`select source from ${mark}`.execute(db)
    return rows[0]?.source ?? ''
  }
  const { rows } = await sql`
    select from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace limit 1`.execute(db)
  if (rows.length > 0) throw new DatabaseNotEmpty('The database has tables already')
  await sql`create table ${mark} (source text not null)`.execute(db)
  await sql`insert into ${mark} (source) values ('')`.execute(db)
  return ''
}

/** Which source the rows are of; empty: of none that could be gone on with. */
export async function noteSource(db: Database, source: string): Promise<void> {
  await sql`update ${mark} set source = ${source}`.execute(db)
}

export async function removeMark(db: Database): Promise<void> {
  await sql`drop table ${mark}`.execute(db)
}

const mark = sql.table(unfinishedCopyTable)
