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
  'feedback.changed',
  'selection.submitted',
] as const

export const webhookEventTypes = [...commonEventTypes, ...optInEventTypes] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** Descriptions of the event types, in the order of the documentation. */
export const webhookEventDescriptions: Record<WebhookEventType, string> = {
  'event.created': 'An event was created, live or as a draft',
  'event.published': 'An event went live: a draft was published, or it was created live',
  'event.archived': 'An event was archived: its gallery is closed, and nothing is told of each of its photos',
  'event.expired': 'The time of a gallery ran out',
  'photo.uploaded': 'A photo or video arrived by any door, or replaced another: told once for each file',
  'photo.deleted': 'A photo was deleted; not told of those that go with their event',
  'event.updated': 'Details of an event were changed',
  'event.restored': 'An archived event is live again',
  'event.deleted': 'An event was deleted, and all of its photos with it',
  'feedback.changed':
    'Marks or comments of a guest changed, by the guest or an operator: told once, after a quiet while',
  'selection.submitted': 'A guest submitted the picks',
}

const EventType = OneOf(webhookEventTypes, { title: 'WebhookEventType' })

export const WebhookEventTypeList = Type.Object(
  {
    event_types: Type.Array(
      Type.Object({
        type: EventType,
        description: Type.String(),
        opt_in: Type.Boolean({ description: 'Not one of the six that every receiver of this API family knows' }),
      }),
    ),
  },
  { title: 'WebhookEventTypeList' },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\p{Cf}\\p{Z}]*[^\\p{C}\\p{Z}]\\P{Cc}*$',
  'x-pattern': 'must be one line of text that can be seen',
})

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'http or https, without credentials; not into private networks, unless the instance allows that',
})

const Events = Type.Array(EventType, {
  minItems: 1,
  maxItems: webhookEventTypes.length,
  uniqueItems: true,
  description: 'What the receiver is told of',
})

const Filter = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 20,
  description:
    'Paths into the envelope, such as `data.event.event_type`, each with the value wanted, or a list of which any will do. All of them must hold; `{}` lets everything pass',
})

/** The operation checks the exact limit of 8192 bytes; this schema can only count characters. */
const Template = Nullable(Type.String({ maxLength: 8192 }), {
  description:
    'The body to be sent, with `${data.event.event_name}` and the like in it; null or blank sends the envelope itself',
})

export const CreateWebhookBody = Type.Object(
  {
    name: Name,
    url: Url,
    events: Events,
    active: Type.Optional(Type.Boolean({ description: 'True unless set' })),
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
  secret: Type.Optional(Type.Unknown({ description: 'Refused: a secret is never changed' })),
})
export type ChangeWebhookBody = Static<typeof ChangeWebhookBody>

const webhookFields = {
  id: Id,
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(EventType),
  active: Type.Boolean({ description: 'When false nothing is queued, and what is queued fails when its turn comes' }),
  filter: Type.Record(Type.String(), Type.Unknown()),
  template: Nullable(Type.String()),
  secret_preview: Type.String({ description: 'The first 8 characters of the secret' }),
  last_success_at: Nullable(Timestamp),
  last_failure_at: Nullable(Timestamp),
  consecutive_failures: Type.Integer({ description: 'Attempts that failed since the last success' }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const WebhookRecord = Type.Object(webhookFields, { title: 'Webhook' })
export type WebhookRecord = Static<typeof WebhookRecord>

export const CreatedWebhook = Type.Object(
  { ...webhookFields, secret: Type.String({ description: 'Signs what is sent. Shown only here' }) },
  { title: 'CreatedWebhook' },
)

export const WebhookList = Type.Array(WebhookRecord)

export const TestWebhookBody = Nullable(
  Type.Object({
    event_type: OptionalNullable(EventType, { description: 'By default the first that it is told of' }),
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
    passes: Type.Boolean({ description: 'Whether the filter lets the sample pass' }),
    content_type: Type.String(),
    body: Type.String({ description: 'What would be sent of the sample' }),
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
  response_status: Nullable(Type.Integer(), { description: 'Of the last attempt, as all that follows of answers' }),
  latency_ms: Nullable(Type.Integer()),
  next_retry_at: Nullable(Timestamp, { description: 'While it is pending, once an attempt has failed' }),
  last_error: Nullable(Type.String()),
  created_at: Timestamp,
  completed_at: Nullable(Timestamp),
  replayed_from: Nullable(Id, { description: 'The delivery that this one tells again' }),
}

export const DeliverySummary = Type.Object(deliveryFields, { title: 'DeliverySummary' })
export type DeliverySummary = Static<typeof DeliverySummary>

export const DeliveryRecord = Type.Object(
  {
    ...deliveryFields,
    webhook_id: Id,
    envelope_id: Type.String({ description: 'As in `webhook-id`: the same over all attempts' }),
    payload: Type.Unknown({ description: 'The body sent: parsed where it is JSON, else the text' }),
    request_body: Type.String({
      description: 'The very text that is signed and sent; empty where a template made too much',
    }),
    request_headers: Nullable(Type.Record(Type.String(), Type.String()), {
      description: 'Of the last attempt; null before the first',
    }),
    response_body: Nullable(Type.String(), { description: 'At most 1 KB of it' }),
  },
  { title: 'Delivery' },
)
export type DeliveryRecord = Static<typeof DeliveryRecord>

export const ListDeliveriesQuery = Type.Object({
  status: Type.Optional(OneOf(deliveryStatuses, { description: 'Only deliveries in this state' })),
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
