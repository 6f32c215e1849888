import { type Static, Type } from 'typebox'
import { Id, Limit, NotBlank, Nullable, OneOf, OptionalNullable, Page, Pagination, Timestamp } from '../shapes.ts'
import { maxGuestNameLength } from '../text-lengths.ts'
import { decisions, reviewStates, versionRange } from './decisions.ts'
import { NoteText } from './notes.ts'

export const VersionNumber = Type.Integer({ ...versionRange, description: 'Counted from 1 for each photo' })

export const VersionNote = NotBlank(500, { description: 'What has changed in this version; guests read it' })

const versionFields = {
  number: VersionNumber,
  is_current: Type.Boolean({ description: 'The version that lists and downloads have' }),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  note: Nullable(Type.String(), { description: 'What the photographer wrote about this version' }),
  from_at: Timestamp,
}

const DecisionField = OneOf(decisions, {
  description: 'Of the current version; a decision about a version never counts for a later one',
})

export const GuestVersions = Type.Object(
  {
    versions: Type.Array(Type.Object(versionFields), { description: 'The oldest first, without deleted ones' }),
    can_decide: Type.Boolean({ description: 'Whether the guest can decide about the current version' }),
    decision: Nullable(DecisionField, { description: 'The own decision about the current version' }),
  },
  { title: 'GuestVersions' },
)
export type GuestVersions = Static<typeof GuestVersions>

export const DecisionBody = Type.Object(
  {
    decision: Nullable(DecisionField, { description: 'Null takes the decision back' }),
    comment: OptionalNullable(NoteText, { description: 'Begins a private thread with the photographer' }),
    guest_name: OptionalNullable(Type.String({ maxLength: maxGuestNameLength })),
  },
  { title: 'DecisionBody' },
)
export type DecisionBody = Static<typeof DecisionBody>

export const VersionList = Type.Object(
  {
    photo_id: Id,
    versions: Type.Array(
      Type.Object({
        ...versionFields,
        until_at: Nullable(Timestamp, { description: 'When the next version came; null for the current one' }),
        filename: Type.String(),
        original_filename: Type.String(),
        size_bytes: Type.Integer(),
        content_hash: Type.String(),
        has_picture: Type.Boolean({ description: 'False for a video that was replaced before its still was made' }),
        deleted_at: Nullable(Timestamp, { description: 'When the file of an earlier version was deleted' }),
      }),
      { description: 'The oldest first' },
    ),
  },
  { title: 'VersionList' },
)
export type VersionList = Static<typeof VersionList>

/** The multipart body is streamed, so it is validated by the operation and not by the schema. */
export const AddVersionForm = Type.Object(
  {
    photo: Type.String({ format: 'binary', contentMediaType: 'image/*', description: 'One image with its file name' }),
    note: Type.Optional(VersionNote),
  },
  { 'x-streamed': true },
)

export const VersionTotals = Type.Object(
  {
    count: Type.Integer({ description: 'Earlier versions that are kept' }),
    size_bytes: Type.Integer({ description: 'The size of their files, which `total_size` of the event does not have' }),
  },
  { title: 'VersionTotals' },
)

export const DeletedVersions = Type.Object({
  success: Type.Literal(true),
  deleted: Type.Integer({ description: 'How many versions were deleted' }),
})

const guest = {
  guest_id: Nullable(Type.String(), { description: 'Null for an erased guest' }),
  guest_name: Nullable(Type.String()),
}

export const DecisionsQuery = Type.Object({
  page: Page,
  limit: Limit(100, 500),
  state: Type.Optional(OneOf(reviewStates)),
  photo_id: Type.Optional(Id),
})
export type DecisionsQuery = Static<typeof DecisionsQuery>

export const ReviewedPhoto = Type.Object(
  {
    photo_id: Id,
    source_filename: Type.String(),
    version: VersionNumber,
    state: OneOf(reviewStates, {
      description:
        'The strictest decision about the current version; `waiting`: somebody has not decided about a later version than the first; `unasked`: nobody has decided about the first version, or nobody can decide',
    }),
    waiting_for: Type.Array(Type.Object(guest), {
      description: 'Who has not decided, at most 100; empty without a package, because then any guest decides',
    }),
    decisions: Type.Array(
      Type.Object({
        version: VersionNumber,
        content_hash: Type.String(),
        ...guest,
        decision: OneOf(decisions),
        decided_at: Timestamp,
        is_current: Type.Boolean({ description: 'False for a decision about an earlier version or another file' }),
      }),
      { description: 'About all versions, the oldest first; the latest 100' },
    ),
  },
  { title: 'ReviewedPhoto' },
)
export type ReviewedPhoto = Static<typeof ReviewedPhoto>

export const ReviewList = Type.Object(
  {
    photos: Type.Array(ReviewedPhoto, { description: 'In the order of upload' }),
    asked_count: Type.Integer({
      description:
        'How many photos are to be approved: those of the latest selection of each guest, without any those with more than one version',
    }),
    approved_count: Type.Integer({ description: 'How many of them are approved' }),
    pagination: Pagination,
  },
  { title: 'ReviewList' },
)
export type ReviewList = Static<typeof ReviewList>
