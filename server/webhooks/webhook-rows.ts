import type { Generated, Selectable } from 'kysely'
import { AppError } from '../platform/app-error.ts'
import type { Database, Flag, Tx } from '../platform/database/tables.ts'
import { type EncryptedColumn, encryptedColumn } from '../platform/encrypted-columns.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

export type WebhookTable = {
  id: Generated<number>
  name: string
  url: string
  /** JSON: the subscribed event types. */
  events: string
  active: Flag
  /** JSON: paths of the envelope, each with a value or a list of values. `{}` matches every envelope. */
  filter: string
  /** null: the envelope itself is sent. */
  template: string | null
  /** Encrypted. */
  secret: string
  secret_preview: string
  last_success_at: number | null
  last_failure_at: number | null
  consecutive_failures: number
  created_at: number
  updated_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    webhooks: WebhookTable
  }
}

export type WebhookRow = Selectable<WebhookTable>

export const secretPurpose = 'webhook secret'

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

export const webhookSecrets = ({ db }: PlatformContext): EncryptedColumn =>
  encryptedColumn(
    db,
    { name: 'webhook secrets', getPurpose: () => secretPurpose },
    { table: 'webhooks', idColumn: 'id', column: 'secret' },
  )
