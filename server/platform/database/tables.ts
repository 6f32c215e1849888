import type { Kysely, Transaction } from 'kysely'

/**
 * All tables of the service. Each module adds the tables it owns by declaration merging in its `…-rows.ts`,
 * so this layer knows none of them and a query anywhere is typed.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the modules
export interface Tables {}

/** Reads and single writes. */
export type Database = Kysely<Tables>

/** The writes of one transaction: all of them or none. */
export type Tx = Transaction<Tables>

/** Columns hold booleans as 0 and 1, so that both databases answer alike. */
export type Flag = 0 | 1

export const flag = (value: boolean): Flag => (value ? 1 : 0)
