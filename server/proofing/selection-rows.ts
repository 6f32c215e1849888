import type { Generated, Selectable } from 'kysely'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** What guests have submitted as their choice. */
export type SelectionTable = {
  id: Generated<number>
  event_id: number
  guest_id: string
  /** From 1 for each guest. */
  number: number
  note: string | null
  /** JSON, in the order of the gallery: the photos as they were picked then, whatever becomes of them. */
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

/** Under the guest's next number. The caller holds the row of the guest, so that two take different ones. */
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

/** The one that a guest has handed in last: of guests who were merged, numbers do not tell. */
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

/** The photos of a selection as they were picked; undefined where the event has none of that id. */
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

/** Of all guests of an event, the last one first. */
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
