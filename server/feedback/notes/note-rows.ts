import type { Generated, NotNull, Selectable } from 'kysely'
import type { ListNotesQuery, NoteRecord, OwnNotesQuery } from '../../../contract/gallery/notes.ts'
import { deleteNoteOutcomes } from '../../access/idempotency-rows.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'
import type { GuestBelongings } from '../../settings/belongings.ts'

export type GuestNoteTable = {
  id: Generated<number>
  event_id: number
  /** Null for a note about the whole gallery, and after the photo was deleted. */
  photo_id: number | null
  /** The photo while it is in the trash. */
  trashed_photo_id: Generated<number | null>
  guest_id: string
  note_text: string
  created_at: number
  /** When an operator marked it as done; null if it is open. */
  done_at: number | null
  done_by: number | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    guest_notes: GuestNoteTable
  }
}

export type GuestNoteRow = Selectable<GuestNoteTable>

type GuestKey = { eventId: number; guestId: string }

const selectOwnNotes = (db: Database, { eventId, guestId }: GuestKey) =>
  db.selectFrom('guest_notes').where('guest_notes.event_id', '=', eventId).where('guest_notes.guest_id', '=', guestId)

export async function countOwnNotes(db: Database, guest: GuestKey): Promise<number> {
  const counted = selectOwnNotes(db, guest).select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

type NewNote = GuestKey & { photoId: number | null; text: string; now: number }

export const addNote = (tx: Tx, { eventId, guestId, photoId, text, now }: NewNote): Promise<GuestNoteRow> =>
  tx
    .insertInto('guest_notes')
    .values({
      event_id: eventId,
      guest_id: guestId,
      photo_id: photoId,
      note_text: text,
      created_at: now,
      done_at: null,
      done_by: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Returns false if the guest has no such note. */
export async function deleteOwnNote(tx: Tx, { eventId, guestId }: GuestKey, noteId: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('guest_notes')
    .where('id', '=', noteId)
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .returning('id')
    .execute()
  return deleted.length > 0
}

export const notesOfGuests: GuestBelongings = {
  tables: ['guest_notes'],
  largeTables: ['guest_notes'],

  hasRows: async (tx, eventId, guestId) => (await countOwnNotes(tx, { eventId, guestId })) > 0,

  async merge(tx, { eventId, from, into }) {
    const notes = tx.updateTable('guest_notes').set({ guest_id: into })
    await notes.where('event_id', '=', eventId).where('guest_id', '=', from).execute()
  },

  async erase(tx, { eventId, guestIds }) {
    const notes = tx.deleteFrom('guest_notes').where('event_id', '=', eventId).where('guest_id', 'in', guestIds)
    const erased = await notes.returning('id').execute()
    await deleteNoteOutcomes(
      tx,
      erased.map(({ id }) => id),
    )
    return { counts: { notes: erased.length } }
  },
}

/** Newest first. The photo id is null if guests no longer see the photo. */
export async function listOwnNotes(db: Database, guest: GuestKey, { page, limit, photo_id: photoId }: OwnNotesQuery) {
  const notes = selectOwnNotes(db, guest).$if(photoId !== undefined, (some) =>
    some.where('guest_notes.photo_id', '=', photoId as number),
  )
  const { total } = await notes.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await notes
    .leftJoin('photos', (join) => join.onRef('photos.id', '=', 'guest_notes.photo_id').on(visibleToGuests()))
    .select(['guest_notes.id', 'photos.id as photo_id', 'guest_notes.note_text'])
    .select(['guest_notes.created_at', 'guest_notes.done_at'])
    .orderBy('guest_notes.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { rows, total: Number(total) }
}

export type PhotoNote = { guestId: string; text: string; isDone: boolean }

/** Returns the notes about photos, by photo id, oldest first. */
export async function listPhotoNotes(db: Database, eventId: number): Promise<Map<number, PhotoNote[]>> {
  const rows = await db
    .selectFrom('guest_notes')
    .select(['photo_id', 'guest_id as guestId', 'note_text as text', 'done_at'])
    .$narrowType<{ photo_id: NotNull }>()
    .where('event_id', '=', eventId)
    .where('photo_id', 'is not', null)
    .orderBy('id')
    .execute()
  const notes = rows.map(({ done_at, ...row }) => ({ ...row, isDone: done_at !== null }))
  return Map.groupBy(notes, ({ photo_id }) => photo_id)
}

export const findNote = (db: Database, id: number): Promise<GuestNoteRow | undefined> =>
  db.selectFrom('guest_notes').selectAll().where('id', '=', id).executeTakeFirst()

type Done = { done_at: number | null; done_by: number | null }

export const setNoteDone = (tx: Tx, id: number, done: Done) =>
  tx.updateTable('guest_notes').set(done).where('id', '=', id).execute()

const selectNotes = (db: Database, eventId: number, status: ListNotesQuery['status']) =>
  db
    .selectFrom('guest_notes')
    .where('guest_notes.event_id', '=', eventId)
    .$if(status === 'open', (notes) => notes.where('guest_notes.done_at', 'is', null))
    .$if(status === 'done', (notes) => notes.where('guest_notes.done_at', 'is not', null))

const selectNoteRecords = (notes: ReturnType<typeof selectNotes>) =>
  notes
    .leftJoin('photos', 'photos.id', 'guest_notes.photo_id')
    .leftJoin('guests', 'guests.id', 'guest_notes.guest_id')
    .selectAll('guest_notes')
    .select(['photos.original_filename', 'guests.name as guest_name', 'guests.email as guest_email'])

/** Newest first. */
export async function listNotes(
  db: Database,
  eventId: number,
  { page, limit, status }: ListNotesQuery,
): Promise<{ notes: NoteRecord[]; total: number }> {
  const notes = selectNotes(db, eventId, status)
  const { total } = await notes.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await selectNoteRecords(notes)
    .orderBy('guest_notes.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { notes: rows.map(noteRecord), total: Number(total) }
}

export async function loadNoteRecord(db: Database, { event_id, id }: GuestNoteRow): Promise<NoteRecord | undefined> {
  const notes = selectNotes(db, event_id, undefined).where('guest_notes.id', '=', id)
  const row = await selectNoteRecords(notes).executeTakeFirst()
  return row && noteRecord(row)
}

type ListedNote = GuestNoteRow & {
  original_filename: string | null
  guest_name: string | null
  guest_email: string | null
}

const noteRecord = ({ note_text, created_at, done_at, trashed_photo_id: _, ...row }: ListedNote): NoteRecord => ({
  ...row,
  text: note_text,
  status: done_at === null ? 'open' : 'done',
  created_at: isoTime(created_at),
  done_at: isoTimeOrNull(done_at),
})
