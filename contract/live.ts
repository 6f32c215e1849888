import { type Static, Type } from 'typebox'
import { feedbackStatuses } from './feedback.ts'
import { decisions } from './gallery/decisions.ts'
import { threadKinds } from './gallery/thread-kinds.ts'
import { colorLabels, feedbackKinds } from './marks.ts'
import { Id, Nullable, OneOf, streamReply, Timestamp } from './shapes.ts'

/**
 * `removed`: by the guest; `deleted`: by an operator; `processed`: the poster image of a video is ready, or its
 * processing has failed. `merged`: an operator merged another guest into this guest. `noted`: the guest wrote or deleted
 * a private note.
 * `accepted`: an operator accepted a selection; `requested`: the guest asked to open it again.
 * `decided`: a guest decided about a version; `completed`: all photos that are to be approved are approved.
 * `erased`: an operator erased a guest; the event names no guest.
 */
export const liveOperations = [
  'created',
  'updated',
  'removed',
  'approved',
  'hidden',
  'deleted',
  'uploaded',
  'replaced',
  'processed',
  'named',
  'merged',
  'noted',
  'erased',
  'submitted',
  'answered',
  'settled',
  'reopened',
  'accepted',
  'requested',
  'decided',
  'completed',
] as const
export type LiveOperation = (typeof liveOperations)[number]

/** Browsers send this header by themselves when they reconnect. */
export const LiveHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
})

const changeFields = { did: OneOf(liveOperations), at: Timestamp }

const photo = {
  ...changeFields,
  photo_id: Id,
  /** Null if the photo has been deleted. */
  original_filename: Nullable(Type.String()),
}

const guest = { ...changeFields, guest_id: Type.String(), guest_name: Nullable(Type.String()) }

export const LiveFeedback = Type.Object({
  ...photo,
  ...guest,
  feedback_id: Id,
  feedback_type: OneOf(feedbackKinds),
  rating: Nullable(Type.Integer()),
  color_label: Nullable(OneOf(colorLabels)),
  comment_text: Nullable(Type.String()),
  status: OneOf(feedbackStatuses),
})
export type LiveFeedback = Static<typeof LiveFeedback>

export const LivePhoto = Type.Object({ ...photo, uploaded_by: Type.String() })
export type LivePhoto = Static<typeof LivePhoto>

/**
 * Sent when the name or mail address of a guest changes (except with feedback or a selection), after a merge, an erasure
 * and a note.
 */
export const LiveGuest = Type.Object({ ...guest, guest_id: Nullable(Type.String()) })
export type LiveGuest = Static<typeof LiveGuest>

export const LiveSelection = Type.Object({
  ...guest,
  selection_id: Id,
  number: Type.Integer(),
  count: Type.Integer(),
})
export type LiveSelection = Static<typeof LiveSelection>

/** A pin or box was made, or a thread of any kind was answered, marked as done or opened again. */
export const LiveThread = Type.Object({
  ...guest,
  photo_id: Nullable(Id),
  thread_id: Id,
  thread_kind: OneOf(threadKinds),
})
export type LiveThread = Static<typeof LiveThread>

export const LiveDecision = Type.Object({
  ...guest,
  photo_id: Nullable(Id, { description: 'Null if all photos are approved' }),
  original_filename: Nullable(Type.String()),
  version: Nullable(Type.Integer()),
  decision: Nullable(OneOf(decisions)),
  count: Nullable(Type.Integer(), { description: 'How many photos are approved, if these are all' }),
})
export type LiveDecision = Static<typeof LiveDecision>

export const LiveStream = streamReply(
  'Server-sent events of the types `feedback`, `photo`, `guest`, `selection`, `thread` and `decision`, until the client disconnects. Each has an ID. With this ID as `Last-Event-ID`, the stream starts with the events after it',
)

/** What guests get, whose pages then load what they see. */
export type GuestLiveThread = { photo_id: number | null; thread_id: number | null }

export const GuestLiveStream = streamReply(
  'Server-sent events of the type `thread` with `photo_id` and `thread_id`, either of which can be null, when something in the comments, notes, pins and boxes that the guest sees has changed',
)
