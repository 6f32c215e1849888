import {
  type DeliveryRecord,
  type DeliverySummary,
  optInEventTypes,
  type WebhookEventType,
  type WebhookRecord,
  webhookEventDescriptions,
  webhookEventTypes,
} from '../../contract/webhooks.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import type { ListedDelivery } from './list-deliveries.ts'
import type { WebhookRow } from './webhook-rows.ts'

export const webhookRecord = (row: WebhookRow): WebhookRecord => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: subscribedEvents(row),
  active: row.active === 1,
  filter: JSON.parse(row.filter),
  template: row.template,
  secret_preview: row.secret_preview,
  last_success_at: isoTimeOrNull(row.last_success_at),
  last_failure_at: isoTimeOrNull(row.last_failure_at),
  consecutive_failures: row.consecutive_failures,
  token_id: row.token_id,
  ended: row.ended === 1,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})

export const subscribedEvents = ({ events }: Pick<WebhookRow, 'events'>): WebhookEventType[] => JSON.parse(events)

export const eventTypeRecords = webhookEventTypes.map((type) => ({
  type,
  description: webhookEventDescriptions[type],
  opt_in: optInEventTypes.some((one) => one === type),
}))

export const deliverySummary = (row: ListedDelivery): DeliverySummary => ({
  id: row.id,
  event_type: row.event_type,
  status: row.status,
  attempt_count: row.attempt_count,
  response_status: row.response_status,
  latency_ms: row.latency_ms,
  next_retry_at: isoTimeOrNull(nextRetryAt(row)),
  last_error: row.last_error,
  created_at: isoTime(row.created_at),
  completed_at: isoTimeOrNull(row.completed_at),
  replayed_from: row.replayed_from,
})

export function deliveryRecord(row: DeliveryRow): DeliveryRecord {
  const body = row.templated_body ?? row.envelope
  return {
    ...deliverySummary(row),
    webhook_id: row.webhook_id,
    envelope_id: row.envelope_id,
    payload: parsedOrText(body),
    request_body: body,
    request_headers: row.request_headers === null ? null : JSON.parse(row.request_headers),
    response_body: row.response_body,
  }
}

/** A delivery that waits for its first attempt has no retry. */
const nextRetryAt = ({ next_attempt_at: at, last_error }: ListedDelivery): number | null =>
  last_error === null ? null : at

function parsedOrText(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
