import { randomBytes } from 'node:crypto'
import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  PreviewWebhookBody,
  WebhookEventType,
} from '../../contract/webhooks.ts'
import type { AccountCaller } from '../access/callers.ts'
import { type Database, flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { sampleEnvelope } from './envelopes.ts'
import { assertFilter, passesFilter } from './filter-rules.ts'
import { assertReceiverUrl } from './receivers/receiver-address.ts'
import { assertTemplate, renderBody } from './template-rules.ts'
import { assertBelowWebhookLimit } from './token-webhooks.ts'
import { getVisibleWebhook, getWebhook, secretPurpose, type WebhookRow } from './webhook-rows.ts'

type Fields = Omit<ChangeWebhookBody, 'secret'>

/** Checks what the schema of the body cannot. Throws VALIDATION_ERROR. */
async function assertWebhook(ctx: PlatformContext, { url, filter, template }: Fields): Promise<void> {
  if (filter !== undefined) assertFilter(filter)
  const source = normalizeTemplate(template)
  if (source !== null) assertTemplate(source)
  if (url !== undefined) await assertReceiverUrl(ctx, url)
}

/** Returns null for a blank text, which a form sends if there is no template. */
const normalizeTemplate = (template: string | null | undefined): string | null => (template?.trim() ? template : null)

type Columns = Partial<Pick<WebhookRow, 'name' | 'url' | 'events' | 'active' | 'filter' | 'template'>>

const webhookColumns = ({ name, url, events, active, filter, template }: Fields): Columns => ({
  ...(name !== undefined && { name: name.trim() }),
  ...(url !== undefined && { url }),
  ...(events !== undefined && { events: JSON.stringify(events) }),
  ...(active !== undefined && { active: flag(active) }),
  ...(filter !== undefined && { filter: JSON.stringify(filter) }),
  ...(template !== undefined && { template: normalizeTemplate(template) }),
})

/** Throws VALIDATION_ERROR. */
export function previewWebhook({ clock }: PlatformContext, { event_type, filter = {}, template }: PreviewWebhookBody) {
  const source = normalizeTemplate(template)
  assertFilter(filter)
  if (source !== null) assertTemplate(source)
  const envelope = sampleEnvelope(event_type, clock.now())
  const { body, contentType } = renderBody(source, envelope)
  return { passes: passesFilter(filter, envelope), content_type: contentType, body }
}

const secretBytes = 32
const previewLength = 8

/**
 * The secret is returned only here. A webhook of an API token ends with it. `record` is called in the transaction. Throws
 * VALIDATION_ERROR or WEBHOOK_LIMIT_REACHED.
 */
export async function createWebhook(
  ctx: PlatformContext,
  caller: AccountCaller,
  body: CreateWebhookBody,
  record: (tx: Tx, id: number) => Promise<void> = async () => undefined,
): Promise<{ row: WebhookRow; secret: string }> {
  await assertWebhook(ctx, body)
  const { db, clock, encryption } = ctx
  const { name, url, events, active = true, filter = {}, template } = body
  const secret = randomBytes(secretBytes).toString('base64')
  const now = clock.now()
  const values = {
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
    token_id: caller.tokenId ?? null,
    created_at: now,
    updated_at: now,
  }
  const row = await inTransaction(db, 'everything', async (tx) => {
    await assertBelowWebhookLimit(tx, caller)
    const created = await tx.insertInto('webhooks').values(values).returningAll().executeTakeFirstOrThrow()
    await record(tx, created.id)
    return created
  })
  return { row: { ...row, ended: 0 }, secret }
}

export type MovedWebhook = {
  name: string
  url: string
  events: readonly WebhookEventType[]
  secret: string
  createdAt: number
  /** Valid by `assertFilter`; matches everything if it is empty. */
  filter: object
  /** Valid by `assertTemplate`. */
  template: string | null
}

/** Adds an inactive webhook of another installation, with its secret. Returns its id. */
export async function addMovedWebhook(
  { db, clock, encryption }: PlatformContext,
  { name, url, events, secret, createdAt, filter, template }: MovedWebhook,
): Promise<number> {
  const { id } = await db
    .insertInto('webhooks')
    .values({
      name,
      url,
      events: JSON.stringify(events),
      active: 0,
      filter: JSON.stringify(filter),
      template,
      secret: encryption.encrypt(secret, secretPurpose),
      secret_preview: secret.slice(0, previewLength),
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      token_id: null,
      created_at: createdAt,
      updated_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** For the repeated creation with an Idempotency-Key. Throws NOT_FOUND. */
export async function getCreatedWebhook(ctx: PlatformContext, caller: AccountCaller, id: number) {
  const row = await getVisibleWebhook(ctx, caller, id)
  return { row, secret: ctx.encryption.decrypt(row.secret, secretPurpose) }
}

/** Pending deliveries go to the new address. Throws NOT_FOUND or VALIDATION_ERROR. */
export async function changeWebhook(
  ctx: PlatformContext,
  caller: AccountCaller,
  id: number,
  { secret, ...fields }: ChangeWebhookBody,
): Promise<WebhookRow> {
  const { db, clock, changes } = ctx
  await getVisibleWebhook(ctx, caller, id)
  if (secret !== undefined) {
    throw invalidField('secret', 'The secret cannot be changed. Delete the webhook and create it again.')
  }
  await assertWebhook(ctx, fields)
  const columns = webhookColumns(fields)

  await inTransaction(db, 'everything', async (tx) => {
    const row = await getWebhook(tx, id)
    if (Object.keys(columns).length === 0) return
    // A new address is another receiver, so its count of failures starts at 0.
    const isMoved = columns.url !== undefined && columns.url !== row.url
    await tx
      .updateTable('webhooks')
      .set({ ...columns, ...(isMoved && { consecutive_failures: 0 }), updated_at: clock.now() })
      .where('id', '=', id)
      .execute()
  })
  changes.notify('delivery', id)
  return getVisibleWebhook(ctx, caller, id)
}

/** Rows per statement, so that no other write waits long. */
const batchSize = 1000

/** Deletes pending deliveries too. Throws NOT_FOUND. */
export async function deleteWebhook(ctx: PlatformContext, caller: AccountCaller, id: number): Promise<void> {
  const { db, changes } = ctx
  await getVisibleWebhook(ctx, caller, id)
  // An inactive webhook gets and sends no deliveries. A crash before the end of this function leaves it inactive.
  await db.updateTable('webhooks').set({ active: 0 }).where('id', '=', id).execute()
  while ((await deleteDeliveryBatch(db, id)) === batchSize) {}
  // The lock `everything` excludes concurrent operations, which could still queue a delivery.
  const { numDeletedRows } = await inTransaction(db, 'everything', (tx) =>
    tx.deleteFrom('webhooks').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  if (numDeletedRows === 0n) throw new AppError('NOT_FOUND')
  changes.notify('delivery', id)
}

async function deleteDeliveryBatch(db: Database, webhookId: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (delivery) =>
      delivery.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhookId).limit(batchSize),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
