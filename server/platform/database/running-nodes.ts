import { sql } from 'kysely'
import type { Database } from './tables.ts'

const called = 'proofroom node '

/** The name under which a node listens: by it the others know that it runs. */
export const nodeApplication = (node: string): string => called + node

/** Asks PostgreSQL, of a column that names a node. */
export const isRunning = (column: string) => sql<boolean>`exists (select from pg_stat_activity
  where datname = current_database() and application_name = ${called} || ${sql.ref(column)})`

/** How many nodes listen on a PostgreSQL, this one among them. */
export async function countNodes(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct application_name) as count from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${called})`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
