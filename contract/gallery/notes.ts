import { type Static, Type } from 'typebox'
import { Id, Limit, Nullable, OneOf, OptionalNullable, Page, Pagination, Timestamp } from '../shapes.ts'
import { maxGuestNameLength, maxNoteLength } from '../text-lengths.ts'

export const maxNotesPerGuest = 100

const photoId = { photo_id: Nullable(Id, { description: 'Null for a note about the whole gallery' }) }

export const NoteText = Type.String({
  // Longer than the limit of a note, because surrounding whitespace does not count.
  maxLength: 10 * maxNoteLength,
  description: `1 to ${maxNoteLength} characters`,
})

export const NoteBody = Type.Object({
  text: NoteText,
  photo_id: OptionalNullable(Id, { description: 'The photo that the note is about; without it, the whole gallery' }),
  guest_name: OptionalNullable(Type.String({ maxLength: maxGuestNameLength })),
})
export type NoteBody = Static<typeof NoteBody>

export const OwnNote = Type.Object({
  id: Id,
  ...photoId,
  text: Type.String(),
  is_done: Type.Boolean({ description: 'The photographer has marked it as done' }),
  created_at: Timestamp,
})
export type OwnNote = Static<typeof OwnNote>

export const OwnNotesQuery = Type.Object({
  page: Page,
  limit: Limit(50, 100),
  photo_id: Type.Optional(Type.Integer({ ...Id, description: 'Only notes about this photo' })),
})
export type OwnNotesQuery = Static<typeof OwnNotesQuery>

export const OwnNotes = Type.Object({ notes: Type.Array(OwnNote), pagination: Pagination })

export const DeletedNote = Type.Object({ success: Type.Literal(true), id: Id })

const noteStatuses = ['open', 'done'] as const

export const NoteRecord = Type.Object(
  {
    id: Id,
    event_id: Id,
    ...photoId,
    original_filename: Nullable(Type.String()),
    text: Type.String(),
    status: OneOf(noteStatuses),
    guest_id: Type.String(),
    guest_name: Nullable(Type.String()),
    guest_email: Nullable(Type.String()),
    created_at: Timestamp,
    done_at: Nullable(Timestamp),
    done_by: Nullable(Id, { description: 'The account that marked it as done' }),
  },
  { title: 'GuestNote' },
)
export type NoteRecord = Static<typeof NoteRecord>

export const ListNotesQuery = Type.Object({
  page: Page,
  limit: Limit(50, 100),
  status: Type.Optional(OneOf(noteStatuses)),
})
export type ListNotesQuery = Static<typeof ListNotesQuery>

export const NoteList = Type.Object({ notes: Type.Array(NoteRecord), pagination: Pagination })
