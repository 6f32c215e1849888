import type { Kysely, Transaction } from 'kysely'

/** Each module adds its tables by declaration merging, so that all queries are typed. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the modules
export interface Tables {}

export type Database = Kysely<Tables>

export type Tx = Transaction<Tables>

/** Boolean columns contain 0 or 1, on PostgreSQL as on SQLite. */
export type Flag = 0 | 1

export const flag = (value: boolean): Flag => (value ? 1 : 0)
