import type { Generated, Selectable } from 'kysely'
import type { ListSelectionsQuery } from '../../contract/gallery/selections.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import { deleteMailsAbout } from '../platform/mail/queue-mail.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { GuestBelongings } from '../settings/belongings.ts'
import type { SnapshotColumns } from './rounds/create-snapshot.ts'

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
  /** When a mail about it was sent or a webhook has received it; null before. */
  notified_at: number | null
  /** When an operator marked it as done, or the guest submitted a later one; null while it is open. */
  done_at: number | null
  done_by: number | null
} & { [Column in keyof SnapshotColumns]: SnapshotColumns[Column] | null }

declare module '../platform/database/tables.ts' {
  interface Tables {
    selections: SelectionTable
  }
}

export type SelectionRow = Selectable<SelectionTable>

/** Without what was agreed, which can be large. */
export type ListedSelection = Omit<SelectionRow, 'snapshot' | 'people'>

const listedColumns = [
  'selections.id',
  'selections.event_id',
  'selections.guest_id',
  'selections.number',
  'selections.note',
  'selections.photo_ids',
  'selections.photo_count',
  'selections.created_at',
  'selections.notified_at',
  'selections.done_at',
  'selections.done_by',
  'selections.round_id',
  'selections.round_number',
  'selections.content_sha256',
] as const

/** `agreed`: what a guest with a package has submitted; null without one. */
type NewSelection = {
  eventId: number
  guestId: string
  note: string | null
  photoIds: number[]
  agreed: SnapshotColumns | null
  now: number
}

const nothingAgreed = { round_id: null, round_number: null, snapshot: null, people: null, content_sha256: null }

/**
 * Earlier selections of the guest are not open any more. The calling function must lock the row of the guest, so that
 * numbers stay unique.
 */
export async function addSelection(tx: Tx, selection: NewSelection): Promise<SelectionRow> {
  const { eventId, guestId, note, photoIds, agreed, now } = selection
  const last = await tx
    .selectFrom('selections')
    .select('number')
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  await tx
    .updateTable('selections')
    .set({ done_at: now })
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .where('done_at', 'is', null)
    .execute()
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
      notified_at: null,
      done_at: null,
      done_by: null,
      ...(agreed ?? nothingAgreed),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Orders by time, because numbers of merged guests are not chronological. */
export const findLastSelection = (
  db: Database,
  eventId: number,
  guestId: string,
): Promise<ListedSelection | undefined> =>
  db
    .selectFrom('selections')
    .select(listedColumns)
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findSelection = (db: Database, id: number): Promise<SelectionRow | undefined> =>
  db.selectFrom('selections').selectAll().where('id', '=', id).executeTakeFirst()

export const findSelectionOfRound = (db: Database, roundId: number): Promise<ListedSelection | undefined> =>
  db.selectFrom('selections').select(listedColumns).where('round_id', '=', roundId).executeTakeFirst()

export const findNumberedSelection = (
  db: Database,
  { eventId, guestId, number }: { eventId: number; guestId: string; number: number },
): Promise<SelectionRow | undefined> =>
  db
    .selectFrom('selections')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .where('number', '=', number)
    .executeTakeFirst()

/** Returns the last selection before this one, of the same guest, that was submitted in a round. */
export const findSelectionBefore = (
  db: Database,
  { event_id, guest_id, number }: Pick<SelectionRow, 'event_id' | 'guest_id' | 'number'>,
): Promise<SelectionRow | undefined> =>
  db
    .selectFrom('selections')
    .selectAll()
    .where('event_id', '=', event_id)
    .where('guest_id', '=', guest_id)
    .where('number', '<', number)
    .where('snapshot', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns how many selections have no guest, because the guest was erased. */
export async function countErasedSelections(db: Database, eventId: number): Promise<number> {
  const { count } = await db
    .selectFrom('selections')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', eventId)
    .where('guest_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Done = Pick<SelectionRow, 'done_at' | 'done_by'>

export const setSelectionDone = (tx: Tx, id: number, done: Done) =>
  tx.updateTable('selections').set(done).where('id', '=', id).execute()

export async function findSelectedIds(db: Database, eventId: number, id: number): Promise<number[] | undefined> {
  const selection = await db
    .selectFrom('selections')
    .select('photo_ids')
    .where('id', '=', id)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return selection && (JSON.parse(selection.photo_ids) as number[])
}

/** Returns the ids of all videos of an event. */
export async function listVideoIds(db: Database, eventId: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('photos')
    .select('id')
    .where('event_id', '=', eventId)
    .where('media_type', '=', 'video')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export type GuestSelection = ListedSelection & { name: string | null; email: string | null }

/** Newest first. */
export async function listSelections(
  { db }: PlatformContext,
  eventId: number,
  { page, limit, status }: ListSelectionsQuery,
): Promise<{ selections: GuestSelection[]; total: number }> {
  const ofEvent = db
    .selectFrom('selections')
    .where('selections.event_id', '=', eventId)
    .$if(status === 'open', (all) =>
      all.where('selections.done_at', 'is', null).where('selections.guest_id', 'is not', null),
    )
  const { total } = await ofEvent.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const selections = await ofEvent
    .leftJoin('guests', 'guests.id', 'selections.guest_id')
    .select(listedColumns)
    .select(['guests.name', 'guests.email'])
    .orderBy('selections.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { selections, total: Number(total) }
}

export const selectionsOfGuests: GuestBelongings = {
  tables: ['selections'],
  largeTables: ['selections'],

  hasRows: async (tx, eventId, guestId) => (await findLastSelection(tx, eventId, guestId)) !== undefined,

  /** The moved selections get the numbers after those of `into`. */
  async merge(tx, { eventId, from, into }) {
    const selectionsOf = (guestId: string) =>
      tx
        .selectFrom('selections')
        .select(['id', 'number'])
        .where('event_id', '=', eventId)
        .where('guest_id', '=', guestId)
        .orderBy('number')
        .execute()
    let number = (await selectionsOf(into)).at(-1)?.number ?? 0
    for (const { id } of await selectionsOf(from)) {
      number++
      await tx.updateTable('selections').set({ guest_id: into, number }).where('id', '=', id).execute()
    }
  },

  /** They stay without their guest. */
  async erase(tx, { eventId, guestIds }) {
    const cleared = await tx
      .updateTable('selections')
      .set({ guest_id: null, note: null, people: null })
      .where('event_id', '=', eventId)
      .where('guest_id', 'in', guestIds)
      .returning('id')
      .execute()
    const mails = await deleteMailsAbout(
      tx,
      cleared.map(({ id }) => id),
    )
    return { counts: { selections: cleared.length, mails } }
  },
}
