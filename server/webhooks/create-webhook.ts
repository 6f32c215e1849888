import { randomBytes } from 'node:crypto'
import type { CreateWebhookBody } from '../../contract/webhooks.ts'
import { flag } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { assertWebhook, normalizeTemplate } from './webhook-fields.ts'
import { secretPurpose, type WebhookRow } from './webhook-rows.ts'

const secretBytes = 32
const previewLength = 8

/** Returns the webhook with its secret, which is never returned again. Throws VALIDATION_ERROR. */
export async function createWebhook(
  ctx: PlatformContext,
  body: CreateWebhookBody,
): Promise<{ row: WebhookRow; secret: string }> {
  await assertWebhook(ctx, body)
  const { db, clock, encryption } = ctx
  const { name, url, events, active = true, filter = {}, template } = body
  const secret = randomBytes(secretBytes).toString('base64')
  const now = clock.now()
  const row = await db
    .insertInto('webhooks')
    .values({
      name: name.trim(),
      url,
      events: JSON.stringify(events),
      active: flag(active),
      filter: JSON.stringify(filter),
      template: normalizeTemplate(template),
      secret: encryption.encrypt(secret, secretPurpose),
      secret_preview: secret.slice(0, previewLength),
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, secret }
}
