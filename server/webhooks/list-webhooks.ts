import { AppError } from '../platform/app-error.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { WebhookRow } from './webhook-rows.ts'

export const listWebhooks = ({ db }: PlatformContext): Promise<WebhookRow[]> =>
  db.selectFrom('webhooks').selectAll().orderBy('id').execute()

/** Throws NOT_FOUND. */
export async function getWebhook(db: Database | Tx, id: number): Promise<WebhookRow> {
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** Throws NOT_FOUND or WEBHOOK_INACTIVE. */
export async function getActiveWebhook(tx: Tx, id: number): Promise<WebhookRow> {
  const row = await getWebhook(tx, id)
  if (row.active === 0) throw new AppError('WEBHOOK_INACTIVE')
  return row
}
