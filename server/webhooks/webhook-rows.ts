import { type Generated, type Selectable, sql } from 'kysely'
import type { AccountCaller } from '../access/callers.ts'
import type { Database, Flag, Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type EncryptedColumn, encryptedColumn } from '../platform/security/encrypted-columns.ts'
import { hasNotEnded, isVisibleTo } from './token-webhooks.ts'

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
  /** The API token that made the webhook; null for a webhook of the instance. */
  token_id: Generated<number | null>
  created_at: number
  updated_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    webhooks: WebhookTable
  }
}

/** `ended`: 1 for a webhook whose API token was revoked or has expired, or whose account lost its rights. */
export type WebhookRow = Selectable<WebhookTable> & { ended: Flag }

export const secretPurpose = 'webhook secret'

/** A token finds only the webhooks that tokens of its account have made; a session finds all. */
export type WebhookCaller = Pick<AccountCaller, 'user' | 'tokenId'>

const selectWebhooks = (db: Database | Tx, now: number) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .select(sql<Flag>`case when ${hasNotEnded(now)} then 0 else 1 end`.as('ended'))

export const listWebhooks = ({ db, clock }: PlatformContext, caller: WebhookCaller): Promise<WebhookRow[]> =>
  selectWebhooks(db, clock.now()).where(isVisibleTo(caller)).orderBy('id').execute()

/** Throws NOT_FOUND, also for a webhook that the caller does not find. */
export async function getVisibleWebhook({ db, clock }: PlatformContext, caller: WebhookCaller, id: number) {
  const visible = selectWebhooks(db, clock.now()).where(isVisibleTo(caller))
  const row = await visible.where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** Throws NOT_FOUND. */
export async function getWebhook(db: Database | Tx, id: number): Promise<Selectable<WebhookTable>> {
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** Throws NOT_FOUND or WEBHOOK_INACTIVE. */
export async function getActiveWebhook(tx: Tx, id: number): Promise<Selectable<WebhookTable>> {
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
