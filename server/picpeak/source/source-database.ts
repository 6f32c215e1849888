import type { SourceRow } from './source-values.ts'

/** Names of columns by table. */
export type SourceTables = ReadonlyMap<string, ReadonlySet<string>>

/** The database of another installation. It is only read. */
export type SourceDatabase = {
  tables: SourceTables
  /**
   * Returns all rows of a table, or those whose column has a value, by `id` where there is one. Other versions may lack
   * the column.
   */
  read: (table: string, where?: { column: string; value: number }) => AsyncIterable<SourceRow>
  count: (table: string) => Promise<number>
  close: () => Promise<void>
}

/** The source is no PicPeak installation, or cannot be read. The message is for the operator. */
export class SourceUnusable extends Error {}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
