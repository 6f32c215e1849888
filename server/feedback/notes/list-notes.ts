import type { NotNull } from 'kysely'
import type { ListNotesQuery, NoteRecord, OwnNotesQuery } from '../../../contract/gallery/notes.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import type { Database } from '../../platform/database/tables.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'
import type { GuestKey, ThreadRow } from '../threads/thread-rows.ts'

/** Notes that were answered stay when they are deleted, but without their text. */
const selectNotes = (db: Database, eventId: number) =>
  db
    .selectFrom('threads')
    .where('threads.event_id', '=', eventId)
    .where('threads.kind', '=', 'note')
    .where('threads.text', 'is not', null)
    .$narrowType<{ text: NotNull }>()

/** Newest first. The photo id is null if guests no longer see the photo. */
export async function listOwnNotes(
  db: Database,
  { eventId, guestId }: GuestKey,
  { page, limit, photo_id: photoId }: OwnNotesQuery,
) {
  const notes = selectNotes(db, eventId)
    .where('threads.guest_id', '=', guestId)
    .$if(photoId !== undefined, (some) =>
      // Not while the photo is in the trash.
      some.where('threads.photo_id', 'in', ({ selectFrom }) =>
        selectFrom('photos')
          .select('id')
          .where('id', '=', photoId ?? 0),
      ),
    )
  const { total } = await notes.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await notes
    .leftJoin('photos', (join) => join.onRef('photos.id', '=', 'threads.photo_id').on(visibleToGuests()))
    .select(['threads.id', 'photos.id as photo_id', 'threads.text', 'threads.created_at', 'threads.settled_at'])
    .$narrowType<{ text: NotNull }>()
    .orderBy('threads.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { rows, total: Number(total) }
}

export type PhotoNote = { guestId: string; text: string; isDone: boolean }

/** Returns the notes about photos, by photo id, oldest first. */
export async function listPhotoNotes(db: Database, eventId: number): Promise<Map<number, PhotoNote[]>> {
  const rows = await selectNotes(db, eventId)
    .innerJoin('photos', 'photos.id', 'threads.photo_id')
    .select(['photos.id as photo_id', 'threads.guest_id as guestId', 'threads.text', 'threads.settled_at'])
    .$narrowType<{ text: NotNull }>()
    .orderBy('threads.id')
    .execute()
  const notes = rows.map(({ settled_at, ...row }) => ({ ...row, isDone: settled_at !== null }))
  return Map.groupBy(notes, ({ photo_id }) => photo_id)
}

export const findNote = (db: Database, id: number): Promise<ThreadRow | undefined> =>
  db.selectFrom('threads').selectAll().where('id', '=', id).where('kind', '=', 'note').executeTakeFirst()

const selectNoteRecords = (notes: ReturnType<typeof selectNotes>) =>
  notes
    .leftJoin('photos', 'photos.id', 'threads.photo_id')
    .leftJoin('guests', 'guests.id', 'threads.guest_id')
    .select(['threads.id', 'threads.event_id', 'threads.guest_id', 'threads.text', 'threads.created_at'])
    .select(['threads.settled_at', 'threads.settled_by', 'photos.id as photo_id', 'photos.original_filename'])
    .select(['guests.name as guest_name', 'guests.email as guest_email'])
    .$narrowType<{ text: NotNull }>()

/** Newest first. */
export async function listNotes(
  db: Database,
  eventId: number,
  { page, limit, status }: ListNotesQuery,
): Promise<{ notes: NoteRecord[]; total: number }> {
  const notes = selectNotes(db, eventId)
    .$if(status === 'open', (some) => some.where('threads.settled_at', 'is', null))
    .$if(status === 'done', (some) => some.where('threads.settled_at', 'is not', null))
  const { total } = await notes.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await selectNoteRecords(notes)
    .orderBy('threads.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { notes: rows.map(noteRecord), total: Number(total) }
}

export async function loadNoteRecord(db: Database, { event_id, id }: ThreadRow): Promise<NoteRecord | undefined> {
  const row = await selectNoteRecords(selectNotes(db, event_id).where('threads.id', '=', id)).executeTakeFirst()
  return row && noteRecord(row)
}

type ListedNote = Pick<ThreadRow, 'id' | 'event_id' | 'photo_id' | 'guest_id' | 'created_at'> &
  Pick<ThreadRow, 'settled_at' | 'settled_by'> &
  Pick<NoteRecord, 'text' | 'original_filename' | 'guest_name' | 'guest_email'>

const noteRecord = ({ created_at, settled_at, settled_by, ...row }: ListedNote): NoteRecord => ({
  ...row,
  status: settled_at === null ? 'open' : 'done',
  created_at: isoTime(created_at),
  done_at: isoTimeOrNull(settled_at),
  done_by: settled_by,
})
