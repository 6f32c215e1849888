import type { Generated, Selectable } from 'kysely'
import type { DeliveryStatus, WebhookEventType } from '../../contract/webhooks.ts'

/** A message for one webhook, pending or completed. Ids increase in the order of the changes. */
export type WebhookDeliveryTable = {
  id: Generated<number>
  webhook_id: number
  event_type: WebhookEventType
  /** 0 for a sample; null for webhooks without an API token in rows that are older than this column. */
  event_id: number | null
  /** A UUID: the same for all attempts, a new one for a replay. */
  envelope_id: string
  /** JSON `{id, type, created_at, data}`; a replay also has `replayed_from`, and a sample `test`. */
  envelope: string
  /** The body from the template, empty if it was too large or is redacted; null if the envelope is the body. */
  templated_body: string | null
  /** The id of the delivery that this one repeats. */
  replayed_from: number | null
  status: DeliveryStatus
  attempt_count: number
  /** Set only while the delivery is pending. A process that claims the delivery sets this to the end of its lease. */
  next_attempt_at: number | null
  /** JSON, of the last attempt. */
  request_headers: string | null
  response_status: number | null
  /** At most 1 KB. */
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
