import { type Static, Type } from 'typebox'
import { languages, tableHeaders } from '../languages.ts'
import { colorLabels } from '../marks.ts'
import {
  DescribedId,
  Id,
  NotBlank,
  Nullable,
  OneOf,
  OptionalNullable,
  Page,
  Pagination,
  Strict,
  Timestamp,
  Whole,
} from '../shapes.ts'
import { maxNoteLength } from '../text-lengths.ts'
import { GuestRecord } from './guests.ts'
import { threadKinds } from './thread-kinds.ts'

/** Whether a mail about a round reaches its guest, or why not. */
export const mailStates = ['yes', 'asks', 'no_address', 'unconfirmed', 'unsubscribed', 'gallery_closed'] as const
export type MailState = (typeof mailStates)[number]

/** How the guests of a gallery choose. */
const choosingModes = ['each'] as const

export const roundStates = ['open', 'reopened', 'submitted', 'locked'] as const
export type RoundState = (typeof roundStates)[number]

/** While a round has one of these states, the marks of its guest cannot change. */
export const sentStates = ['submitted', 'locked'] as const satisfies readonly RoundState[]

const maxPicks = 100_000
const Day = Type.String({ format: 'date', description: 'YYYY-MM-DD' })

const numbers = {
  included: Whole(0, maxPicks, 'How many photos the package includes'),
  minimum: Whole(0, maxPicks, 'How many photos must be picked at least'),
  maximum: Nullable(Whole(1, maxPicks, 'How many photos can be picked at most'), { description: 'Null: no limit' }),
  due_on: Nullable(Day, { description: 'The day by which the picks are due; later ones are accepted too' }),
}

const packageFields = {
  purpose: NotBlank(60, { description: 'What the photos are picked for, such as `Album`' }),
  ...numbers,
  extra_text: Type.String({
    maxLength: 120,
    description: 'What each photo beyond `included` costs, such as `12 €`; only shown',
  }),
  time_zone: Type.String({ minLength: 1, maxLength: 60, description: 'The IANA time zone of `due_on`' }),
  mode: OneOf(choosingModes, { description: '`each`: each guest picks alone' }),
  locks_on_submission: Type.Boolean({
    description: 'Submitted picks are locked at once; otherwise when an operator accepts them',
  }),
}

export const PackageBody = Type.Object(
  {
    purpose: packageFields.purpose,
    included: packageFields.included,
    minimum: Type.Optional(packageFields.minimum),
    maximum: Type.Optional(packageFields.maximum),
    extra_text: Type.Optional(packageFields.extra_text),
    due_on: Type.Optional(packageFields.due_on),
    time_zone: Type.Optional(packageFields.time_zone),
    mode: Type.Optional(packageFields.mode),
    locks_on_submission: Type.Optional(packageFields.locks_on_submission),
  },
  { title: 'PackageBody', additionalProperties: false },
)
export type PackageBody = Static<typeof PackageBody>

export const PackageRecord = Type.Object(packageFields, { title: 'Package' })
export type PackageRecord = Static<typeof PackageRecord>

export const PackageReply = Type.Object(
  { package: Nullable(PackageRecord, { description: 'Null: guests pick without a limit' }) },
  { title: 'PackageReply' },
)

/** A package that the studio offers, for new events. */
export const PackagePreset = Strict({
  name: NotBlank(60),
  event_type: OptionalNullable(Type.String({ minLength: 1, maxLength: 50, description: 'Proposed for these events' })),
  purpose: packageFields.purpose,
  included: packageFields.included,
  minimum: packageFields.minimum,
  maximum: packageFields.maximum,
  extra_text: packageFields.extra_text,
  locks_on_submission: packageFields.locks_on_submission,
})
export type PackagePreset = Static<typeof PackagePreset>

const picked = {
  count: Type.Integer({ description: 'Number of photos that are picked now' }),
  extra_count: Type.Integer({ description: 'How many of `count` are beyond `included`' }),
}

const Revision = Type.Integer({ minimum: 0, description: 'Grows with each photo that is picked or unpicked' })

const GuestRound = Type.Object({
  number: Type.Integer({ description: 'Counted from 1 for each guest' }),
  state: OneOf(roundStates),
  purpose: packageFields.purpose,
  extra_text: packageFields.extra_text,
  ...numbers,
  time_zone: packageFields.time_zone,
  locks_on_submission: packageFields.locks_on_submission,
  ...picked,
  revision: Revision,
  message: Nullable(Type.String(), { description: 'What the photographer wrote when the round was opened again' }),
  /** The number of the selection whose picks were sent before; null in the first round. */
  before_number: Nullable(Type.Integer(), {
    description: 'The number of the selection before a reopened round, for the difference; null otherwise',
  }),
  is_reopening_asked: Type.Boolean({ description: 'The guest has asked to open the submitted round again' }),
  deciders: Type.Array(Type.String(), { description: 'Empty: each guest picks alone' }),
  disagreements: Type.Array(Id, { description: 'Empty: each guest picks alone' }),
})
export type GuestRound = Static<typeof GuestRound>

export const GuestRoundReply = Type.Object({
  round: Nullable(GuestRound, { description: 'Null without a package' }),
})

export const ReopeningBody = Nullable(
  Type.Object({ message: OptionalNullable(Type.String({ maxLength: maxNoteLength })) }),
)
export type ReopeningBody = Static<typeof ReopeningBody>

export const RoundRecord = Type.Object(
  {
    id: Id,
    event_id: Id,
    guest: GuestRecord,
    number: Type.Integer({ description: 'Counted from 1 for each guest' }),
    state: OneOf(roundStates),
    is_current: Type.Boolean({ description: 'The last round of the guest, while the event has a package' }),
    revision: Revision,
    ...numbers,
    ...picked,
    message: Nullable(Type.String()),
    submitted_at: Nullable(Timestamp),
    locked_at: Nullable(Timestamp),
    locked_by: Nullable(DescribedId('The account that accepted it; null if it was locked on submission')),
    selection_id: Nullable(Id, { description: 'The submitted selection' }),
    reopening: Nullable(Type.Object({ message: Nullable(Type.String()), asked_at: Timestamp }), {
      description: 'The guest has asked to open the round again',
    }),
    reminded_at: Nullable(Timestamp),
    mail: OneOf(mailStates, {
      description:
        'Whether mails reach the guest: `asks`: the next one also asks to confirm the address; `unconfirmed`: a mail has asked; `gallery_closed`: a draft, archived, expired or not revealed',
    }),
    can_be_reminded: Type.Boolean({ description: 'The round is open, and `mail` is `yes` or `asks`' }),
  },
  { title: 'Round' },
)
export type RoundRecord = Static<typeof RoundRecord>

export const ListRoundsQuery = Type.Object({
  page: Page,
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 100, description: 'Maximum number per page' }),
  state: Type.Optional(OneOf(roundStates)),
  current: Type.Optional(Type.Boolean({ description: 'Only the last round of each guest' })),
})
export type ListRoundsQuery = Static<typeof ListRoundsQuery>

export const RoundList = Type.Object(
  { rounds: Type.Array(RoundRecord), pagination: Pagination },
  { title: 'RoundList' },
)

export const ReopenBody = Type.Object(
  {
    message: NotBlank(maxNoteLength, { description: 'Shown and mailed to the guest' }),
    included: Type.Optional(numbers.included),
    minimum: Type.Optional(numbers.minimum),
    maximum: Type.Optional(numbers.maximum),
    due_on: Type.Optional(numbers.due_on),
  },
  { title: 'ReopenRound', additionalProperties: false },
)
export type ReopenBody = Static<typeof ReopenBody>

const marks = {
  rating: Nullable(Type.Integer()),
  color_label: Nullable(OneOf(colorLabels)),
  is_liked: Type.Boolean(),
}

const SnapshotPhoto = Type.Object({
  id: Id,
  source_filename: Type.String({ description: 'The name of the file of the camera' }),
  version: Type.Integer(),
  content_hash: Type.String({ description: 'The hash of the file, as in photo records' }),
  ...marks,
})
export type SnapshotPhoto = Static<typeof SnapshotPhoto>

/** What was agreed. It never changes and has no personal data. */
export const SelectionSnapshot = Type.Object({
  event_id: Id,
  event_name: Type.String(),
  studio_name: Type.String({ description: 'Empty if the studio has no name yet' }),
  language: OneOf(languages, { description: 'The language of the receipt' }),
  round: Type.Integer(),
  submitted_at: Timestamp,
  purpose: packageFields.purpose,
  included: numbers.included,
  minimum: numbers.minimum,
  maximum: numbers.maximum,
  extra_text: packageFields.extra_text,
  extra_count: picked.extra_count,
  due_on: numbers.due_on,
  time_zone: packageFields.time_zone,
  color_names: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'The names of color labels, if they have any' }),
  ),
  photos: Type.Array(SnapshotPhoto, { description: 'The picks with their marks, in upload order' }),
  other_marks: Type.Array(Type.Object({ photo_id: Id, ...marks }), {
    description: 'The marks of the guest on other photos',
  }),
})
export type SelectionSnapshot = Static<typeof SelectionSnapshot>

/** Names and texts of a selection. An erasure removes them. */
export const SelectionPeople = Type.Object({
  guest_name: Nullable(Type.String()),
  note: Nullable(Type.String()),
  comments: Type.Array(Type.Object({ photo_id: Id, kind: OneOf(threadKinds), text: Type.String() }), {
    description:
      'What the guest wrote about the picks, as of submission; notes, pins and boxes only for API tokens with the right `reads_notes`',
  }),
})
export type SelectionPeople = Static<typeof SelectionPeople>

export const contentHash = Nullable(Type.String(), {
  description: 'SHA-256 of the RFC 8785 form of `snapshot`, hexadecimal; null without a package',
})

export const SelectionDetails = Type.Object(
  {
    id: Id,
    event_id: Id,
    guest: Nullable(GuestRecord, { description: 'Null for an erased guest' }),
    number: Type.Integer(),
    round: Nullable(Type.Integer(), { description: 'The number of the round; null without a package' }),
    created_at: Timestamp,
    content_sha256: contentHash,
    snapshot: Nullable(SelectionSnapshot, { description: 'Null without a package' }),
    people: Nullable(SelectionPeople, { description: 'Null without a package and for an erased guest' }),
  },
  { title: 'SelectionDetails' },
)
export type SelectionDetails = Static<typeof SelectionDetails>

const DifferencePhoto = Type.Object({ id: Id, source_filename: Type.String(), ...marks })
const Compared = Type.Object({ number: Type.Integer(), count: Type.Integer() })

export const SelectionDifference = Type.Object(
  {
    from: Nullable(Compared, { description: 'The earlier selection; null if there is none' }),
    to: Compared,
    added: Type.Array(DifferencePhoto),
    removed: Type.Array(DifferencePhoto),
    changed: Type.Array(
      Type.Object({ id: Id, source_filename: Type.String(), before: Type.Object(marks), after: Type.Object(marks) }),
      { description: 'Photos in both selections with other marks' },
    ),
  },
  { title: 'SelectionDifference' },
)
export type SelectionDifference = Static<typeof SelectionDifference>

export const ReceiptQuery = Type.Object({
  format: OneOf(['html', 'csv'], { default: 'html', description: 'A page to read and print, or a table' }),
  headers: OneOf(tableHeaders, {
    default: 'keys',
    description: 'Headers of the table: `keys` for programs, or a language',
  }),
})
export type ReceiptQuery = Static<typeof ReceiptQuery>

export const DifferenceQuery = Type.Object({
  from: Type.Optional(
    DescribedId('ID of another selection of the same guest; by default the one before, of a round too'),
  ),
})

export const OwnDifferenceQuery = Type.Object({
  from: Type.Optional(
    Type.Integer({ ...Id, description: 'Number of another selection of the guest; by default the one before' }),
  ),
})

export const ReceiptReply = {
  200: {
    description: 'The receipt as a page or as a table; the same for guests and operators',
    headers: ['ETag' as const],
    content: {
      'text/html': { schema: Type.Unsafe<unknown>({ type: 'string' }) },
      'text/csv': { schema: Type.Unsafe<unknown>({ type: 'string' }) },
    },
  },
  304: { description: 'If-None-Match contains the current ETag', headers: ['ETag' as const] },
}
