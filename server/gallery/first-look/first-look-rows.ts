import type { Selectable } from 'kysely'
import type { FirstLookRecord } from '../../../contract/first-look.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { isoTimeOrNull } from '../../platform/time/clock.ts'

/** `events.has_first_look` is 1 while `completed_at` is null. */
export type FirstLookTable = {
  event_id: number
  about_count: number
  /** A calendar day. */
  complete_on: string
  completed_at: number | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    first_looks: FirstLookTable
  }
}

export type FirstLookRow = Selectable<FirstLookTable>

export const findFirstLook = (db: Database, eventId: number): Promise<FirstLookRow | undefined> =>
  db.selectFrom('first_looks').selectAll().where('event_id', '=', eventId).executeTakeFirst()

/** Adds or replaces the first look of an event. */
export async function storeFirstLook(tx: Tx, { event_id, ...values }: FirstLookRow): Promise<void> {
  await tx
    .insertInto('first_looks')
    .values({ event_id, ...values })
    .onConflict((conflict) => conflict.column('event_id').doUpdateSet(values))
    .execute()
}

export const deleteFirstLook = (tx: Tx, eventId: number) =>
  tx.deleteFrom('first_looks').where('event_id', '=', eventId).execute()

export const firstLookRecord = ({ event_id: _, completed_at, ...row }: FirstLookRow): FirstLookRecord => ({
  ...row,
  completed_at: isoTimeOrNull(completed_at),
})
