import { sql } from 'kysely'
import { runCompiled } from '../../platform/database/compile-once.ts'
import { shortRead } from '../../platform/database/short-read.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { DeliveryRow } from '../delivery-rows.ts'
import { PostFailed } from '../receivers/post-failures.ts'
import type { ReceiverClient, ReceiverResponse } from '../receivers/post-to-receiver.ts'
import { RejectedAddress } from '../receivers/receiver-url.ts'
import { contentTypeOf } from '../template-rules.ts'
import { hasNotEnded, lacksOwnership, unownedReason } from '../token-webhooks.ts'
import { secretPurpose } from '../webhook-rows.ts'
import type { Outcome } from './delivery-schedule.ts'
import { deliveryHeaders } from './sign-delivery.ts'

export type Attempt = {
  delivery: DeliveryRow
  outcome: Outcome
  /** Null for an inactive webhook, an unreadable secret, a rejected address and an unexpected error. */
  headers: Record<string, string> | null
}

/** Makes one attempt for a claimed delivery, with the current URL and secret. Returns null for a deleted webhook. */
export async function deliver(
  ctx: AppContext,
  receiverClient: ReceiverClient,
  delivery: DeliveryRow,
  stopSignal: AbortSignal,
): Promise<Attempt | null> {
  const { webhook_id, event_id } = delivery
  const values = { webhook_id, event_id, now: ctx.clock.now() }
  const [webhook] = await runCompiled(ctx.db, 'webhook of a delivery', values, ({ webhook_id, event_id, now }) =>
    ctx.db
      .selectFrom('webhooks')
      .select(['url', 'secret', 'active'])
      .select(sql<boolean | number>`${hasNotEnded(now)}`.as('has_not_ended'))
      .select(sql<boolean | number>`${lacksOwnership(sql`${event_id}`)}`.as('lacks_ownership'))
      .where('id', '=', webhook_id)
      .modifyEnd(shortRead),
  )
  if (!webhook) return null
  const unsentAttempt = (outcome: Outcome): Attempt => ({ delivery, outcome, headers: null })
  if (webhook.active === 0) {
    return unsentAttempt({ result: 'inactive', reason: 'The webhook was inactive when the delivery was due.' })
  }
  if (!webhook.has_not_ended) {
    return unsentAttempt({ result: 'inactive', reason: 'The API token that made the webhook is no longer valid.' })
  }
  if (webhook.lacks_ownership) return unsentAttempt({ result: 'inactive', reason: unownedReason })
  const secret = decryptSecret(ctx, webhook.secret)
  if (secret === null) {
    const reason = 'The secret of the webhook cannot be decrypted because ENCRYPTION_KEY has changed.'
    return unsentAttempt({ result: 'unanswered', reason, latencyMs: null })
  }
  const body = delivery.templated_body ?? delivery.envelope
  const contentType = delivery.templated_body === null ? 'application/json' : contentTypeOf(body)
  const alias = ctx.config.webhooks.headerAlias
  const headers = deliveryHeaders({ row: delivery, body, contentType, secret, alias, now: ctx.clock.now() })
  const outcome = await post(
    () => receiverClient.post({ url: webhook.url, headers, body, signal: stopSignal }),
    stopSignal,
  )
  return { delivery, outcome, headers: outcome.result === 'refused' ? null : headers }
}

function decryptSecret({ encryption }: AppContext, encrypted: string): string | null {
  try {
    return encryption.decrypt(encrypted, secretPurpose)
  } catch {
    return null
  }
}

async function post(send: () => Promise<ReceiverResponse>, stopSignal: AbortSignal): Promise<Outcome> {
  const startedAt = performance.now()
  try {
    return { result: 'answered', response: await send() }
  } catch (error) {
    if (stopSignal.aborted) return { result: 'put-back' }
    if (error instanceof RejectedAddress) return { result: 'refused', reason: error.message }
    if (!(error instanceof PostFailed)) throw error
    return { result: 'unanswered', reason: error.message, latencyMs: Math.round(performance.now() - startedAt) }
  }
}
