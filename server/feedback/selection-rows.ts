import type { Generated, Selectable } from 'kysely'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

export type SelectionTable = {
  id: Generated<number>
  event_id: number
  /** Null for an erased guest. */
  guest_id: string | null
  /** Counted from 1 for each guest. */
  number: number
  note: string | null
  /** A JSON array in order of upload. It keeps the ids of photos that were deleted later. */
  photo_ids: string
  photo_count: number
  created_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    selections: SelectionTable
  }
}

export type SelectionRow = Selectable<SelectionTable>

type NewSelection = { eventId: number; guestId: string; note: string | null; photoIds: number[]; now: number }

/** The calling function must lock the row of the guest, so that numbers stay unique. */
export async function addSelection(tx: Tx, selection: NewSelection): Promise<SelectionRow> {
  const { eventId, guestId, note, photoIds, now } = selection
  const last = await tx
    .selectFrom('selections')
    .select('number')
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return tx
    .insertInto('selections')
    .values({
      event_id: eventId,
      guest_id: guestId,
      number: (last?.number ?? 0) + 1,
      note,
      photo_ids: JSON.stringify(photoIds),
      photo_count: photoIds.length,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Orders by time, because numbers of merged guests are not chronological. */
export const findLastSelection = (db: Database, eventId: number, guestId: string): Promise<SelectionRow | undefined> =>
  db
    .selectFrom('selections')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function findSelectedIds(db: Database, eventId: number, id: number): Promise<number[] | undefined> {
  const selection = await db
    .selectFrom('selections')
    .select('photo_ids')
    .where('id', '=', id)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return selection && (JSON.parse(selection.photo_ids) as number[])
}

export type GuestSelection = SelectionRow & { name: string | null; email: string | null }

/** Newest first. */
export async function listSelections(
  { db }: PlatformContext,
  eventId: number,
  { page, limit }: { page: number; limit: number },
): Promise<{ selections: GuestSelection[]; total: number }> {
  const ofEvent = db.selectFrom('selections').where('selections.event_id', '=', eventId)
  const { total } = await ofEvent.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const selections = await ofEvent
    .leftJoin('guests', 'guests.id', 'selections.guest_id')
    .selectAll('selections')
    .select(['guests.name', 'guests.email'])
    .orderBy('selections.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { selections, total: Number(total) }
}
