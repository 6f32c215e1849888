import { AppError } from '../platform/app-error.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { WebhookRow } from './webhook-rows.ts'

/** All of the instance, the oldest first: there are as many as an operator has typed in. */
export const listWebhooks = ({ db }: PlatformContext): Promise<WebhookRow[]> =>
  db.selectFrom('webhooks').selectAll().orderBy('id').execute()

/** Throws NOT_FOUND. */
export async function getWebhook(db: Database | Tx, id: number): Promise<WebhookRow> {
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** Whom a delivery is asked for by hand. Throws NOT_FOUND and WEBHOOK_INACTIVE. */
export async function getActiveWebhook(tx: Tx, id: number): Promise<WebhookRow> {
  const row = await getWebhook(tx, id)
  if (row.active === 0) throw new AppError('WEBHOOK_INACTIVE')
  return row
}
