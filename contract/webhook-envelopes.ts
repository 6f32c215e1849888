import { type TProperties, type TSchema, Type } from 'typebox'
import { decisions } from './gallery/decisions.ts'
import { GuestRecord } from './gallery/guests.ts'
import { threadKinds } from './gallery/thread-kinds.ts'
import { Nullable, OneOf, Timestamp } from './shapes.ts'
import { type WebhookEventType, webhookEventDescriptions, webhookEventTypes } from './webhooks.ts'

/** 0 in samples, which no record has. */
const SampledId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const eventFields = {
  id: SampledId,
  slug: Type.String(),
  event_name: Type.String(),
  event_type: Type.String(),
  event_date: Nullable(Type.String({ format: 'date' })),
  share_url: Type.String({ description: 'The link for guests' }),
  share_token: Type.String(),
  customer_name: Nullable(Type.String()),
  customer_email: Nullable(Type.String()),
  customer_phone: Nullable(Type.String()),
}
const AnnouncedEvent = Type.Object(eventFields, { title: 'AnnouncedEvent' })

const restored = {
  restored: Type.Optional(Type.Literal(true, { description: 'Only if it comes back from the trash' })),
}

const addedVersion = {
  version: Type.Optional(Type.Integer({ description: 'Only if the file was added as a version' })),
}

const photoFields = {
  id: SampledId,
  filename: Type.String(),
  original_filename: Type.String(),
  source_filename: Type.String(),
  size_bytes: Type.Integer(),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  category_id: Nullable(Type.Integer()),
  replaced: Type.Boolean({ description: 'The file of an existing photo was replaced' }),
}

const feedbackCounts = {
  rating_count: Type.Integer(),
  color_label_count: Type.Integer(),
  like_count: Type.Integer(),
  favorite_count: Type.Integer(),
  comment_count: Type.Integer(),
  first_changed_at: Timestamp,
  last_changed_at: Timestamp,
}

const selection = {
  id: SampledId,
  number: Type.Integer({ description: 'Counted from 1 for each guest' }),
  guest: GuestRecord,
  note: Nullable(Type.String()),
  count: Type.Integer(),
  photo_ids: Type.Array(SampledId),
  round: Nullable(Type.Integer(), { description: 'The number of the round; null without a package' }),
  extra_count: Nullable(Type.Integer(), { description: 'How many photos are beyond those of the package' }),
  content_sha256: Nullable(Type.String(), { description: 'The hash of what was agreed; null without a package' }),
}

const round = {
  id: SampledId,
  number: Type.Integer({ description: 'Counted from 1 for each guest' }),
  guest: GuestRecord,
  message: Type.String(),
  included: Type.Integer(),
  minimum: Type.Integer(),
  maximum: Nullable(Type.Integer()),
  due_on: Nullable(Type.String({ format: 'date' })),
}

const thread = {
  id: SampledId,
  kind: OneOf(threadKinds),
  photo_id: Nullable(SampledId),
  created_at: Timestamp,
}

const decision = {
  version: Type.Integer({ description: 'The version of the photo' }),
  content_hash: Type.String({ description: 'Of the file of this version' }),
  decision: OneOf(decisions),
  decided_at: Timestamp,
}

const decided = { photo: Type.Object(photoFields), decision: Type.Object(decision), guest: GuestRecord }

const eventWith = (fields: TProperties) => ({ event: Type.Object({ ...eventFields, ...fields }) })
const event = { event: AnnouncedEvent }

/** The keys of `data` of each type. */
const data: Record<WebhookEventType, TProperties> = {
  'event.created': eventWith({ is_draft: Type.Boolean(), ...restored }),
  'event.published': event,
  'event.archived': eventWith({ archived_at: Nullable(Timestamp) }),
  'event.expired': eventWith({ expires_at: Timestamp }),
  'photo.uploaded': { ...event, photo: Type.Object({ ...photoFields, ...restored, ...addedVersion }) },
  'photo.deleted': { ...event, photo: Type.Object(photoFields) },
  'event.updated': event,
  'event.restored': event,
  'event.deleted': event,
  'event.completed': eventWith({ completed_at: Timestamp }),
  'feedback.changed': { ...event, guest: GuestRecord, feedback: Type.Object(feedbackCounts) },
  'selection.submitted': { ...event, selection: Type.Object(selection) },
  'selection.reopened': { ...event, round: Type.Object(round) },
  'photo.approved': { ...event, ...decided },
  'photo.changes_requested': { ...event, ...decided },
  'thread.created': { ...event, thread: Type.Object(thread), guest: GuestRecord },
}

const hasGuest = (fields: TProperties): boolean =>
  Object.entries(fields).some(([key, field]) => {
    const { properties } = field as { properties?: TProperties }
    return key === 'guest' || (properties !== undefined && hasGuest(properties))
  })

/** The types whose `data` contains a guest. */
export const typesWithGuests = webhookEventTypes.filter((type) => hasGuest(data[type]))

/** Such as `PhotoUploadedEnvelope`. */
export const envelopeTitle = (type: WebhookEventType): string =>
  `${type.replace(/(^|\.)./g, (start) => start.replace('.', '').toUpperCase())}Envelope`

const createEnvelopeSchema = (type: WebhookEventType): TSchema =>
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'The same for all attempts of a delivery' }),
      type: Type.Literal(type),
      created_at: Type.String({ format: 'date-time', description: 'The time of the change' }),
      data: Type.Object(data[type]),
      replayed_from: Type.Optional(Type.Integer({ description: 'Only in a replay: the id of the first delivery' })),
      test: Type.Optional(Type.Literal(true, { description: 'Only in a test: the content is a sample' })),
    },
    { title: envelopeTitle(type), description: webhookEventDescriptions[type] },
  )

/** The bodies that webhooks without a template receive, by type. */
export const webhookEnvelopes = Object.fromEntries(
  webhookEventTypes.map((type) => [type, createEnvelopeSchema(type)]),
) as Record<WebhookEventType, TSchema>
