import type { AppContext } from '../settings/app-context.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import type { Outcome } from './delivery-schedule.ts'
import type { Posted, Poster } from './post-to-receiver.ts'
import { PostFailed } from './post-to-receiver.ts'
import { RejectedAddress } from './receiver-address.ts'
import { deliveryHeaders } from './sign-delivery.ts'
import { contentTypeOf } from './template-rules.ts'
import { secretPurpose } from './webhook-rows.ts'

export type Attempt = {
  delivery: DeliveryRow
  outcome: Outcome
  /** null if nothing was sent. */
  headers: Record<string, string> | null
}

/** Sends a claimed delivery once, with the current address and secret. Returns null if the webhook was deleted. */
export async function deliver(
  ctx: AppContext,
  poster: Poster,
  delivery: DeliveryRow,
  ending: AbortSignal,
): Promise<Attempt | null> {
  const webhook = await ctx.db
    .selectFrom('webhooks')
    .select(['url', 'secret', 'active'])
    .where('id', '=', delivery.webhook_id)
    .executeTakeFirst()
  if (!webhook) return null
  const unsent = (outcome: Outcome): Attempt => ({ delivery, outcome, headers: null })
  if (webhook.active === 0) {
    return unsent({ result: 'inactive', reason: 'The webhook was not active when this was to be sent.' })
  }
  const secret = openSecret(ctx, webhook.secret)
  if (secret === null) {
    const reason = 'The secret of the webhook cannot be read: ENCRYPTION_KEY has changed.'
    return unsent({ result: 'unanswered', reason, latencyMs: null })
  }
  const body = delivery.templated_body ?? delivery.envelope
  const contentType = delivery.templated_body === null ? 'application/json' : contentTypeOf(body)
  const alias = ctx.config.webhooks.headerAlias
  const headers = deliveryHeaders({ row: delivery, body, contentType, secret, alias, now: ctx.clock.now() })
  const outcome = await post(() => poster.post({ url: webhook.url, headers, body, signal: ending }), ending)
  return { delivery, outcome, headers: outcome.result === 'refused' ? null : headers }
}

function openSecret({ encryption }: AppContext, encrypted: string): string | null {
  try {
    return encryption.open(encrypted, secretPurpose)
  } catch {
    return null
  }
}

async function post(send: () => Promise<Posted>, ending: AbortSignal): Promise<Outcome> {
  const begun = performance.now()
  try {
    return { result: 'answered', posted: await send() }
  } catch (error) {
    if (ending.aborted) return { result: 'put-back' }
    if (error instanceof RejectedAddress) return { result: 'refused', reason: error.message }
    if (!(error instanceof PostFailed)) throw error
    return { result: 'unanswered', reason: error.message, latencyMs: Math.round(performance.now() - begun) }
  }
}
