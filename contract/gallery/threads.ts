import { type Static, Type } from 'typebox'
import { tableHeaders } from '../languages.ts'
import { DescribedId, Id, Limit, Nullable, OneOf, OptionalNullable, Page, Pagination, Timestamp } from '../shapes.ts'
import { maxGuestNameLength } from '../text-lengths.ts'
import { NoteText } from './notes.ts'
import { pictureUnits, type ThreadKind, threadKinds } from './thread-kinds.ts'

/** Kinds that mark a place on the picture. */
export const markingKinds = ['pin', 'box'] as const satisfies readonly ThreadKind[]

export const threadStates = ['open', 'done'] as const
export type ThreadState = (typeof threadStates)[number]

/** Pins and boxes of a guest on a photo. */
export const maxMarkingsPerPhoto = 100
export const maxMessagesPerThread = 200
/** How many of the latest answers a list has of each thread. */
export const listedMessages = 20

const unit = { minimum: 0, maximum: pictureUnits }
const Unit = (description: string) =>
  Type.Integer({ ...unit, description: `${description}, in millionths of the upright picture` })
const markFields = {
  x: Nullable(Unit('The pin or the left side of the box')),
  y: Nullable(Unit('The pin or the upper side of the box')),
  w: Nullable(Unit('The width of the box')),
  h: Nullable(Unit('The height of the box')),
}

const guestId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'The ID of the guest from `GET …/session`. If the session now belongs to another guest, the request is rejected with FORBIDDEN',
  }),
)
const guestName = OptionalNullable(Type.String({ maxLength: maxGuestNameLength }))

export const ThreadBody = Type.Object({
  kind: OneOf(markingKinds),
  x: Unit('The pin or the left side of the box'),
  y: Unit('The pin or the upper side of the box'),
  w: Type.Optional(Unit('The width, for a box')),
  h: Type.Optional(Unit('The height, for a box')),
  text: NoteText,
  guest_id: guestId,
  guest_name: guestName,
})
export type ThreadBody = Static<typeof ThreadBody>

export const AnswerBody = Type.Object({ text: NoteText, guest_id: guestId, guest_name: guestName })
export type AnswerBody = Static<typeof AnswerBody>

export const OperatorAnswerBody = Type.Object({ text: NoteText }, { title: 'ThreadAnswer' })

export const ThreadStateBody = Type.Object({ state: OneOf(threadStates) }, { title: 'ThreadState' })

const message = {
  id: Id,
  by: OneOf(['guest', 'operator']),
  text: Type.String(),
  is_visible: Type.Boolean({ description: 'False while other guests do not see it' }),
  created_at: Timestamp,
}

const thread = {
  id: Id,
  kind: OneOf(threadKinds),
  photo_id: Nullable(Id, { description: 'Null for a note about the whole gallery' }),
  feedback_id: Nullable(Id, { description: 'The comment; null for other kinds' }),
  version: Type.Integer({ description: 'The version of the photo' }),
  number: Nullable(Type.Integer(), {
    description: 'The number of the pin or box on the photo, the same for guests and operators; null for other kinds',
  }),
  ...markFields,
  text: Nullable(Type.String(), { description: 'Null if it was deleted after it was answered' }),
  state: OneOf(threadStates),
  created_at: Timestamp,
  settled_at: Nullable(Timestamp),
  message_count: Type.Integer({ description: 'Number of answers' }),
}

export const GuestThread = Type.Object(
  {
    ...thread,
    is_own: Type.Boolean(),
    is_visible: Type.Boolean({ description: 'False while other guests do not see the comment' }),
    guest_name: Nullable(Type.String()),
    can_answer: Type.Boolean(),
    messages: Type.Array(
      Type.Object({
        ...message,
        author_name: Nullable(Type.String(), { description: 'Of the guest, or of the studio' }),
        is_own: Type.Boolean(),
      }),
      { description: 'Oldest first; in lists the latest 20' },
    ),
  },
  { title: 'GuestThread' },
)
export type GuestThread = Static<typeof GuestThread>

export const GuestThreadsQuery = Type.Object({
  page: Page,
  limit: Limit(50, 100),
  state: Type.Optional(OneOf(threadStates)),
  kind: Type.Optional(OneOf(threadKinds)),
  answered: Type.Optional(
    Type.Boolean({ description: 'True for only threads of the guest in which the photographer has answered' }),
  ),
})
export type GuestThreadsQuery = Static<typeof GuestThreadsQuery>

export const GuestThreadList = Type.Object({ threads: Type.Array(GuestThread), pagination: Pagination })

export const ThreadRecord = Type.Object(
  {
    ...thread,
    event_id: Id,
    original_filename: Nullable(Type.String(), { description: 'Null without a photo, and while it is in the trash' }),
    photo_visibility: Nullable(OneOf(['visible', 'hidden']), {
      description: 'Guests do not see threads about a hidden photo; null without a photo',
    }),
    source_filename: Nullable(Type.String(), { description: 'The name of the file of the camera' }),
    status: OneOf(['pending', 'approved', 'hidden'], { description: 'Of the comment; `approved` for other kinds' }),
    guest_id: Type.String(),
    guest_name: Nullable(Type.String()),
    guest_email: Nullable(Type.String()),
    settled_by: Nullable(DescribedId('The account; null if it is open or the guest has marked it as done')),
    messages: Type.Array(
      Type.Object({
        ...message,
        guest_id: Nullable(Type.String()),
        author_name: Nullable(Type.String(), { description: 'Of the guest or the account' }),
      }),
      { description: 'Oldest first; in lists the latest 20' },
    ),
  },
  { title: 'Thread' },
)
export type ThreadRecord = Static<typeof ThreadRecord>

const threadOrders = ['newest', 'name'] as const

export const ListThreadsQuery = Type.Object({
  page: Page,
  limit: Limit(50, 100),
  state: Type.Optional(OneOf(threadStates)),
  kind: Type.Optional(OneOf(threadKinds)),
  photo_id: Type.Optional(Id),
  order: OneOf(threadOrders, { default: 'newest', description: '`name`: by the name of the file of the camera' }),
  format: OneOf(['json', 'csv'], { default: 'json', description: 'A list, or a table with a row for each thread' }),
  headers: OneOf(tableHeaders, {
    default: 'keys',
    description:
      'Headers of the table: `keys` for programs, with places in millionths, or a language, with places in percent',
  }),
})
export type ListThreadsQuery = Static<typeof ListThreadsQuery>

const ThreadList = Type.Object(
  { threads: Type.Array(ThreadRecord), pagination: Pagination },
  { title: 'ListThreadsReply' },
)
export type ThreadList = Static<typeof ThreadList>

export const ListedThreads = {
  200: {
    description: 'The threads as a list, or as a table',
    content: {
      'application/json': { schema: ThreadList },
      'text/csv': { schema: Type.Unsafe<unknown>({ type: 'string' }) },
    },
  },
}
