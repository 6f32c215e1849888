import { type Static, Type } from 'typebox'
import { Id, Limit, Nullable, OneOf, OptionalNullable, Page, Pagination, Strict, Timestamp } from './shapes.ts'

/** Every receiver is expected to know these event types. */
const commonEventTypes = [
  'event.created',
  'event.published',
  'event.archived',
  'event.expired',
  'photo.uploaded',
  'photo.deleted',
] as const

/** Event types that not every receiver knows. */
export const optInEventTypes = [
  'event.updated',
  'event.restored',
  'event.deleted',
  'event.completed',
  'feedback.changed',
  'selection.submitted',
  'selection.reopened',
  'thread.created',
  'photo.approved',
  'photo.changes_requested',
] as const

export const webhookEventTypes = [...commonEventTypes, ...optInEventTypes] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** Descriptions of the event types, in the order of the documentation. */
export const webhookEventDescriptions: Record<WebhookEventType, string> = {
  'event.created': 'An event was created, live or as a draft',
  'event.published': 'An event went live: a draft was published, or it was created live',
  'event.archived': 'An event was archived and its gallery closed; its photos cause no events',
  'event.expired': 'A gallery expired',
  'photo.uploaded': 'A photo or video was added or replaced in any way; sent once for each file',
  'photo.deleted': 'A photo was deleted; not sent for photos that are deleted with their event',
  'event.updated': 'Details of an event were changed',
  'event.restored': 'An archived event is live again',
  'event.deleted': 'An event was deleted with all its photos',
  'event.completed': 'All photos of an event are there, after a first look',
  'feedback.changed':
    'Feedback of a guest was changed by the guest or an operator; sent once, after a pause in the changes',
  'selection.submitted': 'A guest submitted picks',
  'selection.reopened': 'An operator opened submitted picks again, so that the guest can change them',
  'thread.created': 'A guest wrote a comment or a note, or put a pin or a box on a photo; without its text',
  'photo.approved': 'A guest approved a version of a photo, maybe with small changes',
  'photo.changes_requested': 'A guest wants changes of a version of a photo; without the words',
}

const EventType = OneOf(webhookEventTypes, { title: 'WebhookEventType' })

export const WebhookEventTypeList = Type.Object(
  {
    event_types: Type.Array(
      Type.Object({
        type: EventType,
        description: Type.String(),
        opt_in: Type.Boolean({
          description: 'Not one of the six types that every receiver of this API family supports',
        }),
      }),
    ),
  },
  { title: 'WebhookEventTypeList' },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  'x-matches': '^[\\p{Cf}\\p{Z}]*[^\\p{C}\\p{Z}]\\P{Cc}*$',
  'x-pattern': 'must be one line of visible text',
})

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'http or https, without credentials; private networks only if the instance allows them',
})

const Events = Type.Array(EventType, {
  minItems: 1,
  maxItems: webhookEventTypes.length,
  uniqueItems: true,
  description: 'The event types that are sent to the receiver',
})

const Filter = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 20,
  description:
    'Paths into the envelope, such as `data.event.event_type`, each with the required value or a list of allowed values. All must match; `{}` matches everything',
})

/** The operation checks the exact limit of 8192 bytes; this schema can only count characters. */
const Template = Nullable(Type.String({ maxLength: 8192 }), {
  description:
    'The body to send, with substitutions such as `${data.event.event_name}`; null or blank sends the unchanged envelope',
})

export const CreateWebhookBody = Type.Object(
  {
    name: Name,
    url: Url,
    events: Events,
    active: Type.Optional(Type.Boolean({ description: 'The default is true' })),
    filter: Type.Optional(Filter),
    template: Type.Optional(Template),
  },
  { title: 'CreateWebhook' },
)
export type CreateWebhookBody = Static<typeof CreateWebhookBody>

/** `secret` is in the schema, so that the operation can reject it with a specific message. */
export const ChangeWebhookBody = Strict({
  name: Type.Optional(Name),
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  active: Type.Optional(Type.Boolean()),
  filter: Type.Optional(Filter),
  template: Type.Optional(Template),
  secret: Type.Optional(Type.Unknown({ description: 'Rejected: the secret cannot be changed' })),
})
export type ChangeWebhookBody = Static<typeof ChangeWebhookBody>

const webhookFields = {
  id: Id,
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(EventType),
  active: Type.Boolean({ description: 'If false, nothing is queued, and queued deliveries fail when they are due' }),
  filter: Type.Record(Type.String(), Type.Unknown()),
  template: Nullable(Type.String()),
  secret_preview: Type.String({ description: 'The first 8 characters of the secret' }),
  last_success_at: Nullable(Timestamp),
  last_failure_at: Nullable(Timestamp),
  consecutive_failures: Type.Integer({ description: 'Failed attempts since the last success' }),
  token_id: Nullable(Id, {
    description: 'The API token that made it: it gets only events of the account of the token; null for all events',
  }),
  ended: Type.Boolean({
    description: 'The token was revoked or has expired, or its account was deactivated: nothing is sent any more',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const WebhookRecord = Type.Object(webhookFields, { title: 'Webhook' })
export type WebhookRecord = Static<typeof WebhookRecord>

export const CreatedWebhook = Type.Object(
  { ...webhookFields, secret: Type.String({ description: 'Signs the deliveries. Only returned here' }) },
  { title: 'CreatedWebhook' },
)

export const WebhookList = Type.Array(WebhookRecord)

export const TestWebhookBody = Nullable(
  Type.Object({
    event_type: OptionalNullable(EventType, { description: 'The default is the first subscribed type' }),
  }),
)

export const QueuedTest = Type.Object(
  { enqueued: Type.Boolean(), event_type: EventType, delivery_id: Id },
  { title: 'QueuedTest' },
)

export const PreviewWebhookBody = Type.Object(
  { event_type: EventType, filter: Type.Optional(Filter), template: Type.Optional(Template) },
  { title: 'PreviewWebhook' },
)
export type PreviewWebhookBody = Static<typeof PreviewWebhookBody>

export const WebhookPreview = Type.Object(
  {
    passes: Type.Boolean({ description: 'Whether the sample matches the filter' }),
    content_type: Type.String(),
    body: Type.String({ description: 'The body that would be sent for the sample' }),
  },
  { title: 'WebhookPreview' },
)
export type WebhookPreview = Static<typeof WebhookPreview>

export const deliveryStatuses = ['pending', 'success', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

const deliveryFields = {
  id: Id,
  event_type: EventType,
  status: OneOf(deliveryStatuses),
  attempt_count: Type.Integer(),
  response_status: Nullable(Type.Integer(), { description: 'The status of the last attempt' }),
  latency_ms: Nullable(Type.Integer()),
  next_retry_at: Nullable(Timestamp, { description: 'The next attempt of a pending delivery after a failure' }),
  last_error: Nullable(Type.String()),
  created_at: Timestamp,
  completed_at: Nullable(Timestamp),
  replayed_from: Nullable(Id, { description: 'The delivery that this one replays' }),
}

export const DeliverySummary = Type.Object(deliveryFields, { title: 'DeliverySummary' })
export type DeliverySummary = Static<typeof DeliverySummary>

export const DeliveryRecord = Type.Object(
  {
    ...deliveryFields,
    webhook_id: Id,
    envelope_id: Type.String({ description: 'The value of `webhook-id`: the same for all attempts' }),
    payload: Type.Unknown({ description: 'The sent body: parsed if it is JSON, otherwise the text' }),
    request_body: Type.String({
      description:
        'The exact text that is signed and sent; empty if the template produced too much, if a guest in it was erased, or if it is about an event that you do not own',
    }),
    request_headers: Nullable(Type.Record(Type.String(), Type.String()), {
      description: 'The headers of the last attempt; null before the first',
    }),
    response_body: Nullable(Type.String(), { description: 'The first 1 KB at most' }),
  },
  { title: 'Delivery' },
)
export type DeliveryRecord = Static<typeof DeliveryRecord>

export const ListDeliveriesQuery = Type.Object({
  status: Type.Optional(OneOf(deliveryStatuses, { description: 'Only deliveries with this status' })),
  page: Page,
  limit: Limit(25, 100),
})
export type ListDeliveriesQuery = Static<typeof ListDeliveriesQuery>

export const DeliveryList = Type.Object(
  { deliveries: Type.Array(DeliverySummary), pagination: Pagination },
  { title: 'DeliveryList' },
)
export type DeliveryList = Static<typeof DeliveryList>

export const QueuedReplay = Type.Object(
  { enqueued: Type.Boolean(), original_id: Id, replay_id: Id },
  { title: 'QueuedReplay' },
)
