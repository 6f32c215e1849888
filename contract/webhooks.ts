/** What receivers can be told of (interface, "Events"), and the opt-in types beside it (decisions §9). */
export const webhookEventTypes = [
  'event.created',
  'event.published',
  'event.archived',
  'event.expired',
  'photo.uploaded',
  'photo.deleted',
  'event.updated',
  'event.restored',
  'event.deleted',
  'selection.submitted',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]
