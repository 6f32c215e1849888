import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, OptionalNullable, PageQuery, Pagination, Timestamp } from '../shapes.ts'
import { maxGuestNameLength, maxNoteLength } from '../text-lengths.ts'
import { GuestEmail, GuestRecord } from './guests.ts'
import { contentHash, sentStates } from './rounds.ts'

export const SelectionBody = Nullable(
  Type.Object({
    note: OptionalNullable(Type.String({ maxLength: maxNoteLength })),
    guest_name: OptionalNullable(Type.String({ maxLength: maxGuestNameLength })),
    guest_email: Type.Optional(GuestEmail),
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Of the round. If the picks have changed since, they are not submitted',
      }),
    ),
  }),
)
export type SelectionBody = Static<typeof SelectionBody>

const selectionFields = {
  number: Type.Integer({ description: 'The number of the selection, counted from 1 for each guest' }),
  count: Type.Integer({ description: 'Number of photos in the selection' }),
  created_at: Timestamp,
}

export const SelectionReply = Type.Object({
  success: Type.Literal(true),
  ...selectionFields,
  video_count: Type.Integer({ description: 'How many photos of `count` are videos' }),
  state: Nullable(OneOf(sentStates), { description: 'Of the round; null without a package' }),
  extra_count: Nullable(Type.Integer(), {
    description: 'How many photos are beyond those that the package includes; null without a package',
  }),
  content_sha256: contentHash,
  is_notifying: Type.Boolean({
    description: 'A mail or a webhook message about the selection is queued; when it has arrived, `notified_at` is set',
  }),
})
export type SelectionReply = Static<typeof SelectionReply>

export const OwnSelection = Type.Object({
  ...selectionFields,
  notified_at: Nullable(Timestamp, {
    description:
      'When the mail server accepted the mail to the photographer or a webhook received the selection; null before, and without both',
  }),
  changed_photo_ids: Type.Array(Id, {
    description: 'Photos that the guest has picked or unpicked since; photos that guests can no longer see are omitted',
  }),
})
export type OwnSelection = Static<typeof OwnSelection>

export const OwnSelectionReply = Type.Object({
  selection: Nullable(OwnSelection, { description: 'The last submitted selection; null before the first' }),
})

const SelectionRecord = Type.Object(
  {
    id: Id,
    number: Type.Integer(),
    guest: Nullable(GuestRecord, { description: 'Null for an erased guest' }),
    note: Nullable(Type.String()),
    count: Type.Integer(),
    video_count: Type.Integer({ description: 'How many photos of `count` are videos; deleted ones are not counted' }),
    round: Nullable(Type.Integer(), { description: 'The number of the round; null without a package' }),
    content_sha256: contentHash,
    photo_ids: Type.Array(Id, {
      description: 'The IDs of the photos at submission; includes photos that were deleted since',
    }),
    created_at: Timestamp,
    done_at: Nullable(Timestamp, {
      description: 'When an operator marked it as done, or the guest submitted a later one; null while it is open',
    }),
  },
  { title: 'SubmittedSelection' },
)

export const ListSelectionsQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(['open'], { description: 'Only selections that wait for the photographer' })),
})
export type ListSelectionsQuery = Static<typeof ListSelectionsQuery>

export const SelectionState = Type.Object(
  { id: Id, event_id: Id, done_at: SelectionRecord.properties.done_at },
  { title: 'SelectionState' },
)
export type SelectionState = Static<typeof SelectionState>

export const SelectionList = Type.Object({ selections: Type.Array(SelectionRecord), pagination: Pagination })
