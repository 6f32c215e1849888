import { type Static, Type } from 'typebox'
import { feedbackStatuses } from './feedback.ts'
import { colorLabels, feedbackKinds } from './marks.ts'
import { Id, Nullable, OneOf, streamReply, Timestamp } from './shapes.ts'

/** `removed` by the guest, `deleted` by an operator; `processed`: a video has its still, or turned out to have none. */
export const liveDeeds = [
  'created',
  'updated',
  'removed',
  'approved',
  'hidden',
  'deleted',
  'uploaded',
  'replaced',
  'processed',
] as const
export type LiveDeed = (typeof liveDeeds)[number]

/** A browser sends it by itself when it connects again. */
export const LiveHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
})

const photo = {
  did: OneOf(liveDeeds),
  photo_id: Id,
  /** Null when the photo is gone since. */
  original_filename: Nullable(Type.String()),
  at: Timestamp,
}

/** The `data` of an event of the type `feedback`. */
export const LiveFeedback = Type.Object({
  ...photo,
  feedback_id: Id,
  feedback_type: OneOf(feedbackKinds),
  rating: Nullable(Type.Integer()),
  color_label: Nullable(OneOf(colorLabels)),
  comment_text: Nullable(Type.String()),
  status: OneOf(feedbackStatuses),
  guest_id: Type.String(),
  guest_name: Nullable(Type.String()),
})
export type LiveFeedback = Static<typeof LiveFeedback>

/** The `data` of an event of the type `photo`. */
export const LivePhoto = Type.Object({ ...photo, uploaded_by: Type.String() })
export type LivePhoto = Static<typeof LivePhoto>

export const LiveStream = streamReply(
  'Server-sent events of the types `feedback` and `photo`, until the client goes. Each has an id: sent again as `Last-Event-ID`, what came after it is told first',
)
