import type { Generated, Selectable } from 'kysely'
import type { ExportFormat, ExportRecord } from '../../contract/exports.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import { isoTime } from '../platform/time/clock.ts'
import type { GuestBelongings } from '../settings/belongings.ts'

/** Stored so that the next export can find changes. */
export type MarkExportTable = {
  id: Generated<number>
  event_id: number
  user_id: number
  format: ExportFormat
  photo_count: number
  /** JSON: an object with a `MarksSnapshot` for each photo id. */
  marks: string
  created_at: number
  /** JSON of an `ExportChoice`; null for exports that are older than this column, or by picks of an erased guest. */
  choice: string | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    mark_exports: MarkExportTable
  }
}

export type MarkExport = Selectable<MarkExportTable>
type Owner = { eventId: number; userId: number }

/** Per account and event. Older exports are deleted. */
const maxExports = 50

/** Removes the choice of exports that were limited to the picks of erased guests. */
export const exportsOfGuests: GuestBelongings = {
  tables: ['mark_exports'],
  async erase(tx, { eventId, guestIds }) {
    const cleared = await tx
      .updateTable('mark_exports')
      .set({ choice: null })
      .where('event_id', '=', eventId)
      .where((where) => where.or(guestIds.map((id) => where('choice', 'like', `%${id}%`))))
      .returning('id')
      .execute()
    return { counts: { exports: cleared.length } }
  },
}

export const findExport = (db: Database, id: number, { eventId, userId }: Owner): Promise<MarkExport | undefined> =>
  db
    .selectFrom('mark_exports')
    .selectAll()
    .where('id', '=', id)
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Returns the exports without `marks`, the newest first. */
export const listExports = (db: Database, { eventId, userId }: Owner): Promise<Array<Omit<MarkExport, 'marks'>>> =>
  db
    .selectFrom('mark_exports')
    .select(['id', 'event_id', 'user_id', 'format', 'photo_count', 'created_at', 'choice'])
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()

export const exportRecord = (row: Omit<MarkExport, 'marks'>): ExportRecord => ({
  id: row.id,
  format: row.format,
  photo_count: row.photo_count,
  created_at: isoTime(row.created_at),
  choice: row.choice && JSON.parse(row.choice),
})

export async function storeExport(tx: Tx, row: Omit<MarkExport, 'id'>): Promise<number> {
  const { id } = await tx.insertInto('mark_exports').values(row).returning('id').executeTakeFirstOrThrow()
  const owned = tx
    .selectFrom('mark_exports')
    .select('id')
    .where('event_id', '=', row.event_id)
    .where('user_id', '=', row.user_id)
  const oldest = await owned.orderBy('id', 'desc').offset(maxExports).limit(1).executeTakeFirst()
  if (oldest) {
    await tx
      .deleteFrom('mark_exports')
      .where('event_id', '=', row.event_id)
      .where('user_id', '=', row.user_id)
      .where('id', '<=', oldest.id)
      .execute()
  }
  return id
}
