import type { Insertable } from 'kysely'
import type { Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { WebhookDeliveryTable } from '../delivery-rows.ts'
import { type Envelope, eventIdOf } from '../envelopes.ts'
import { renderBody } from '../template-rules.ts'
import type { WebhookRow } from '../webhook-rows.ts'
import { recordOutcomes } from './settle-delivery.ts'

export type OutgoingEnvelope = { webhook: Pick<WebhookRow, 'id' | 'template'>; envelope: Envelope }
type QueueOptions = { replayedFrom?: number; now: number }

/** Rows per statement. */
const batchSize = 500

/**
 * Returns the id of the delivery. After the commit the calling function must call `changes.notify('delivery', …)`.
 */
export async function queueDelivery(
  tx: Tx,
  webhook: OutgoingEnvelope['webhook'],
  envelope: Envelope,
  options: QueueOptions,
): Promise<number> {
  const row = newDelivery({ webhook, envelope }, options)
  const { id } = await tx.insertInto('webhook_deliveries').values(row).returning('id').executeTakeFirstOrThrow()
  await recordFailed(tx, [row], options)
  return id
}

export async function queueDeliveries(tx: Tx, outgoing: readonly OutgoingEnvelope[], options: QueueOptions) {
  for (let start = 0; start < outgoing.length; start += batchSize) {
    const rows = outgoing.slice(start, start + batchSize).map((entry) => newDelivery(entry, options))
    await tx.insertInto('webhook_deliveries').values(rows).execute()
    await recordFailed(tx, rows, options)
  }
}

type NewDelivery = ReturnType<typeof newDelivery>

function recordFailed(tx: Tx, rows: readonly NewDelivery[], { now }: QueueOptions): Promise<void> {
  const failed = rows.flatMap(({ webhook_id: webhookId, last_error: reason }) =>
    reason === null ? [] : [{ webhookId, outcome: { result: 'refused', reason } as const }],
  )
  return recordOutcomes(tx, failed, now)
}

/** The body is rendered now, so that a later change of the template does not affect it. */
function newDelivery({ webhook, envelope }: OutgoingEnvelope, { replayedFrom, now }: QueueOptions) {
  const { templatedBody, problem } = renderTemplate(webhook.template, envelope)
  return {
    webhook_id: webhook.id,
    event_type: envelope.type,
    event_id: eventIdOf(envelope.data),
    envelope_id: envelope.id,
    envelope: JSON.stringify(envelope),
    templated_body: templatedBody,
    replayed_from: replayedFrom ?? null,
    status: problem === null ? 'pending' : 'failed',
    attempt_count: 0,
    next_attempt_at: problem === null ? now : null,
    last_error: problem,
    created_at: now,
    completed_at: problem === null ? null : now,
  } satisfies Insertable<WebhookDeliveryTable>
}

/** A body that is too large must fail only the delivery, not the change that the delivery announces. */
export function renderTemplate(template: string | null, envelope: Envelope) {
  if (template === null) return { templatedBody: null, problem: null }
  try {
    return { templatedBody: renderBody(template, envelope).body, problem: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { templatedBody: '', problem: 'The template produces a body of more than 64 KB.' }
  }
}
