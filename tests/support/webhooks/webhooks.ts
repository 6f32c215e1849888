import { type WebhookEventType, webhookEventTypes } from '../../../contract/webhooks.ts'
import type { Envelope } from '../../../server/webhooks/envelopes.ts'
import { readDatabase } from '../database/service-database.ts'
import type { TestService } from '../service/test-service.ts'

export type TestWebhook = { id: number; secret: string }

type Subscription = {
  name?: string
  events?: readonly WebhookEventType[]
  /** Default: a name that does not resolve. */
  url?: string
  filter?: Record<string, unknown>
  template?: string | null
}

/** Creates a webhook, by default for all event types. It must exist before the changes that it announces. */
export async function createTestWebhook(service: TestService, subscription: Subscription = {}): Promise<TestWebhook> {
  const body = { name: 'Test', url: 'https://receiver.invalid/hook', events: webhookEventTypes, ...subscription }
  const response = await service.admin.post('/api/admin/webhooks', body)
  if (response.status !== 201) throw new Error(`The webhook was not created: ${JSON.stringify(response.body)}`)
  return response.body
}

export type AnnouncedEnvelope = Omit<Envelope, 'data'> & {
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
  data: any
}

/** Returns the envelopes of all deliveries, pending or completed, oldest first. Without `type`, returns all types. */
export const listAnnounced = (service: TestService, type?: WebhookEventType): AnnouncedEnvelope[] =>
  readDatabase(service, (stored) =>
    stored.prepare<[], string>('select envelope from webhook_deliveries order by id').pluck().all(),
  )
    .map((envelope) => JSON.parse(envelope) as AnnouncedEnvelope)
    .filter((envelope) => type === undefined || envelope.type === type)

export const listAnnouncedOf = (service: TestService, eventId: number): AnnouncedEnvelope[] =>
  listAnnounced(service).filter(({ data }) => data.event.id === eventId)
