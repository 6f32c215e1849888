import type { Generated, Selectable } from 'kysely'
import type { DeliveryStatus, WebhookEventType } from '../../contract/webhooks.ts'

/**
 * What one receiver is told of one change: the queue of what is to be sent, and the record of what was. Ids rise in the
 * order of the changes; they are the sequence that receivers sort by.
 */
export type WebhookDeliveryTable = {
  id: Generated<number>
  webhook_id: number
  event_type: WebhookEventType
  /** The envelope's id, a UUID: the same over all attempts, new for a replay. */
  envelope_id: string
  /** JSON `{id, type, created_at, data}`; with `replayed_from` at the top for a replay. */
  envelope: string
  /** What the template has made of the envelope, empty where it made too much; null: the envelope itself is the body. */
  templated_body: string | null
  /** The delivery whose envelope is told again. */
  replayed_from: number | null
  status: DeliveryStatus
  attempt_count: number
  /** Set while it is pending alone; a claim moves it ahead by the lease, so that no other process sends the same attempt. */
  next_attempt_at: number | null
  /** Of the last attempt; JSON of the headers that were sent. */
  request_headers: string | null
  response_status: number | null
  /** At most 1 KB of it. */
  response_body: string | null
  latency_ms: number | null
  last_error: string | null
  created_at: number
  completed_at: number | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    webhook_deliveries: WebhookDeliveryTable
  }
}

export type DeliveryRow = Selectable<WebhookDeliveryTable>
