import { sql } from 'kysely'
import type { Database } from './tables.ts'

const applicationPrefix = 'proofroom node '

/** The `application_name` of a node, by which other nodes see that it runs. */
export const nodeApplicationName = (node: string): string => applicationPrefix + node

/** A PostgreSQL condition: whether the node that `column` names is running. */
export const isNodeRunning = (column: string) => sql<boolean>`exists (select from pg_stat_activity
  where datname = current_database() and application_name = ${applicationPrefix} || ${sql.ref(column)})`

/** A PostgreSQL expression: the number of nodes that are connected to the database. */
export const runningNodes = `(select count(distinct application_name) from pg_stat_activity
  where datname = current_database() and starts_with(application_name, '${applicationPrefix}'))`

export async function countNodes(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select ${sql.raw(runningNodes)} as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Returns how many nodes are connected besides `node`. */
export async function countOtherNodes(db: Database, node: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct application_name) as count from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${applicationPrefix})
      and application_name <> ${nodeApplicationName(node)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
