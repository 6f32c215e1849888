import { type Static, Type } from 'typebox'
import { listSwitches } from './event-features.ts'
import { colorLabels, feedbackKinds } from './marks.ts'
import { PhotoRecord } from './photos.ts'
import { Id, Limit, Nullable, OneOf, OptionalNullable, Page, Pagination, Timestamp } from './shapes.ts'
import { maxCommentLength } from './text-lengths.ts'

export const maxCommentsPerPhoto = 100

export const FeedbackBody = Type.Object({
  feedback_type: OneOf(feedbackKinds),
  rating: OptionalNullable(Type.Integer({ minimum: 0, maximum: 5 })),
  color_label: OptionalNullable(OneOf(colorLabels)),
  set: Type.Optional(
    Type.Boolean({
      description:
        'For color labels, likes and favorites: true sets the value, even if it is already set; false removes it. If omitted, sending the same value again removes it',
    }),
  ),
  guest_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The ID of the guest from `GET …/session`. If the session now belongs to another guest, the request is rejected with FORBIDDEN. If omitted, the feedback belongs to the guest of the session',
    }),
  ),
  // Longer than the limit of a comment, because surrounding whitespace does not count.
  comment_text: OptionalNullable(Type.String({ maxLength: 10 * maxCommentLength })),
  guest_name: OptionalNullable(Type.String({ maxLength: 100 })),
  guest_email: OptionalNullable(Type.String({ maxLength: 254, format: 'email' })),
})
export type FeedbackBody = Static<typeof FeedbackBody>

export const FeedbackReply = Type.Object({
  success: Type.Literal(true),
  id: Nullable(Id),
  created: Type.Boolean(),
  updated: Type.Boolean(),
  removed: Type.Boolean(),
})
export type FeedbackReply = Static<typeof FeedbackReply>

const counts = Type.Pick(PhotoRecord, ['average_rating', 'feedback_count', 'like_count', 'favorite_count'])

/** A comment as guests see it: without the mail address of its author. */
export const GuestComment = Type.Object({
  id: Id,
  feedback_type: Type.Literal('comment'),
  comment_text: Type.String(),
  guest_name: Nullable(Type.String()),
  is_own: Type.Boolean(),
  is_visible: Type.Boolean({ description: 'False for an unapproved or hidden comment of this guest' }),
  created_at: Timestamp,
})
export type GuestComment = Static<typeof GuestComment>

const ownFeedback = {
  my_rating: PhotoRecord.properties.my_rating,
  my_color_label: PhotoRecord.properties.my_color_label,
  is_liked: Type.Boolean(),
  is_favorited: Type.Boolean(),
  my_comment_count: Type.Integer(),
}

export const PhotoFeedback = Type.Object({
  feedback: Type.Array(GuestComment),
  summary: Type.Object({ ...counts.properties, rating_count: Type.Integer(), comment_count: Type.Integer() }),
  color_labels: PhotoRecord.properties.color_labels,
  my_feedback: Type.Object(ownFeedback),
  pagination: Pagination,
})
export type PhotoFeedback = Static<typeof PhotoFeedback>

export const MyFeedbackQuery = Type.Object({ page: Page, limit: Limit(100, 500) })

export const MyFeedback = Type.Object({
  feedback: Type.Array(Type.Object({ photo_id: Id, ...ownFeedback })),
  counts: Type.Object({
    photos: Type.Integer(),
    rated: Type.Integer(),
    color_labeled: Type.Integer(),
    liked: Type.Integer(),
    favorited: Type.Integer(),
    comments: Type.Integer(),
  }),
  pagination: Pagination,
})
export type MyFeedback = Static<typeof MyFeedback>

export const feedbackSwitches = listSwitches('feedback', 'kinds')

const switchFields = Object.fromEntries(feedbackSwitches.map((key) => [key, Type.Boolean()])) as Record<
  (typeof feedbackSwitches)[number],
  ReturnType<typeof Type.Boolean>
>

/** The identity mode `guest` requires the name of the guest; `simple` does not. */
export const FeedbackSettings = Type.Object({ ...switchFields, identity_mode: OneOf(['simple', 'guest']) })
export type FeedbackSettings = Static<typeof FeedbackSettings>

/** Missing keys are not changed; unknown keys are rejected. */
export const ChangeFeedbackSettingsBody = Type.Partial(FeedbackSettings, { additionalProperties: false })
export type ChangeFeedbackSettingsBody = Static<typeof ChangeFeedbackSettingsBody>

export const feedbackStatuses = ['pending', 'approved', 'hidden'] as const
export type FeedbackStatus = (typeof feedbackStatuses)[number]

export const FeedbackRecord = Type.Object({
  id: Id,
  event_id: Id,
  photo_id: Id,
  filename: Type.String(),
  original_filename: Type.String(),
  feedback_type: OneOf(feedbackKinds),
  rating: Nullable(Type.Integer()),
  color_label: Nullable(OneOf(colorLabels)),
  comment_text: Nullable(Type.String()),
  status: OneOf(feedbackStatuses),
  guest_id: Type.String(),
  guest_name: Nullable(Type.String()),
  guest_email: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type FeedbackRecord = Static<typeof FeedbackRecord>

export const ListFeedbackQuery = Type.Object({
  page: Page,
  limit: Limit(50, 100),
  feedback_type: Type.Optional(OneOf(feedbackKinds)),
  status: Type.Optional(OneOf(feedbackStatuses)),
  photo_id: Type.Optional(Id),
  guest: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only feedback of the guest with this `guest_id`' }),
  ),
})
export type ListFeedbackQuery = Static<typeof ListFeedbackQuery>

export const ListCommentsQuery = Type.Omit(ListFeedbackQuery, ['feedback_type'])

export const FeedbackList = Type.Object({ feedback: Type.Array(FeedbackRecord), pagination: Pagination })

export const DeletedFeedback = Type.Object({ id: Id, deleted: Type.Boolean() })
