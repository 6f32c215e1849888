import { type Static, Type } from 'typebox'
import { feedbackStatuses } from './feedback.ts'
import { colorLabels, feedbackKinds } from './marks.ts'
import { Id, Nullable, OneOf, streamReply, Timestamp } from './shapes.ts'

/**
 * `removed` by the guest, `deleted` by an operator; `processed`: a video has its still, or turned out to have none; `named`
 * and `submitted` by the guest; `merged`: an operator has made this guest and another one the same.
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
  'submitted',
] as const
export type LiveOperation = (typeof liveOperations)[number]

/** A browser sends it by itself when it connects again. */
export const LiveHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
})

const happened = { did: OneOf(liveOperations), at: Timestamp }

const photo = {
  ...happened,
  photo_id: Id,
  /** Null when the photo is gone since. */
  original_filename: Nullable(Type.String()),
}

const guest = {
  ...happened,
  guest_id: Type.String(),
  guest_name: Nullable(Type.String()),
}

/** The `data` of an event of the type `feedback`. */
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

/** The `data` of an event of the type `photo`. */
export const LivePhoto = Type.Object({ ...photo, uploaded_by: Type.String() })
export type LivePhoto = Static<typeof LivePhoto>

/** The `data` of an event of the type `guest`: who has given a name or an address, or another one, or is one with another. */
export const LiveGuest = Type.Object(guest)
export type LiveGuest = Static<typeof LiveGuest>

/** The `data` of an event of the type `selection`: `count` photos were handed in, as the guest's selection of that number. */
export const LiveSelection = Type.Object({
  ...guest,
  selection_id: Id,
  number: Type.Integer(),
  count: Type.Integer(),
})
export type LiveSelection = Static<typeof LiveSelection>

export const LiveStream = streamReply(
  'Server-sent events of the types `feedback`, `photo`, `guest` and `selection`, until the client goes. Each has an id: sent again as `Last-Event-ID`, what came after it is told first',
)
