import type { Database, Tx } from '../platform/database/tables.ts'

/** Which row of the source has become which row here. `source` identifies the installation. */
export type MovedRowTable = { source: string; kind: MovedKind; source_id: string; target_id: string }

declare module '../platform/database/tables.ts' {
  interface Tables {
    moved_rows: MovedRowTable
  }
}

export const movedKinds = [
  'ids',
  'account',
  'event type',
  'category',
  'token',
  'webhook',
  'event id',
  'event',
  'photo',
  'guest',
  'feedback',
  'customer',
  'assignment',
] as const
/**
 * `ids`: whether ids are kept, see `decideIds`, and the counters before the import, see `reserveIds`. `event id`: the id
 * that an event will have.
 */
export type MovedKind = (typeof movedKinds)[number]

type Id = string | number

/** All maps have target ids by source id. */
export type MovedRows = {
  list: (kind: MovedKind) => Promise<Map<string, string>>
  /** Returns those of the given ids that were moved. */
  find: (tx: Database | Tx, kind: MovedKind, sourceIds: readonly Id[]) => Promise<Map<string, string>>
  record: (tx: Database | Tx, kind: MovedKind, ids: Iterable<readonly [sourceId: Id, targetId: Id]>) => Promise<void>
}

const rowsPerQuery = 500

export const createMovedRows = (db: Database, source: string): MovedRows => ({
  async list(kind) {
    const rows = await db
      .selectFrom('moved_rows')
      .select(['source_id', 'target_id'])
      .where('source', '=', source)
      .where('kind', '=', kind)
      .execute()
    return new Map(rows.map(({ source_id, target_id }) => [source_id, target_id]))
  },

  async find(tx, kind, sourceIds) {
    const found = new Map<string, string>()
    for (let start = 0; start < sourceIds.length; start += rowsPerQuery) {
      const rows = await tx
        .selectFrom('moved_rows')
        .select(['source_id', 'target_id'])
        .where('source', '=', source)
        .where('kind', '=', kind)
        .where('source_id', 'in', sourceIds.slice(start, start + rowsPerQuery).map(String))
        .execute()
      for (const { source_id, target_id } of rows) found.set(source_id, target_id)
    }
    return found
  },

  async record(tx, kind, ids) {
    const rows = [...ids].map(([sourceId, targetId]) => ({
      source,
      kind,
      source_id: String(sourceId),
      target_id: String(targetId),
    }))
    for (let start = 0; start < rows.length; start += rowsPerQuery) {
      const part = rows.slice(start, start + rowsPerQuery)
      await tx
        .insertInto('moved_rows')
        .values(part)
        .onConflict((conflict) =>
          conflict
            .columns(['source', 'kind', 'source_id'])
            .doUpdateSet((row) => ({ target_id: row.ref('excluded.target_id') })),
        )
        .execute()
    }
  },
})
