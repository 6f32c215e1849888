import type { Selectable } from 'kysely'
import type { PackageRecord } from '../../../contract/gallery/rounds.ts'
import type { Database, Flag, Tx } from '../../platform/database/tables.ts'

/** What the guests of an event can pick. Only events with `has_package` have one. */
export type PackageTable = {
  event_id: number
  purpose: string
  included: number
  minimum: number
  /** Null: no limit. */
  maximum: number | null
  extra_text: string
  /** A calendar day. */
  due_on: string | null
  time_zone: string
  locks_on_submission: Flag
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    packages: PackageTable
  }
}

export type PackageRow = Selectable<PackageTable>

export const findPackage = (db: Database, eventId: number): Promise<PackageRow | undefined> =>
  db.selectFrom('packages').selectAll().where('event_id', '=', eventId).executeTakeFirst()

/** Adds or replaces the package of an event. */
export async function storePackage(tx: Tx, { event_id, ...values }: PackageRow): Promise<void> {
  await tx
    .insertInto('packages')
    .values({ event_id, ...values })
    .onConflict((conflict) => conflict.column('event_id').doUpdateSet(values))
    .execute()
}

export const deletePackageRow = (tx: Tx, eventId: number) =>
  tx.deleteFrom('packages').where('event_id', '=', eventId).execute()

export const packageRecord = ({ event_id: _, locks_on_submission, ...row }: PackageRow): PackageRecord => ({
  ...row,
  mode: 'each',
  locks_on_submission: locks_on_submission === 1,
})
