import type { ListDeliveriesQuery } from '../../contract/webhooks.ts'
import type { AccountCaller } from '../access/callers.ts'
import { toPagination } from '../platform/database/pagination.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import { showsBodyTo } from './token-webhooks.ts'
import { getWebhook } from './webhook-rows.ts'

/** The columns of a list: those with bodies and headers are large, so they are left out. */
const listedColumns = [
  'id',
  'event_type',
  'status',
  'attempt_count',
  'response_status',
  'latency_ms',
  'next_attempt_at',
  'last_error',
  'created_at',
  'completed_at',
  'replayed_from',
] as const

export type ListedDelivery = Pick<DeliveryRow, (typeof listedColumns)[number]>

/** Returns one page, newest first. Throws NOT_FOUND. */
export async function listDeliveries(
  { db }: PlatformContext,
  webhookId: number,
  { status, page, limit }: ListDeliveriesQuery,
) {
  await getWebhook(db, webhookId)
  let matching = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId)
  if (status !== undefined) matching = matching.where('status', '=', status)
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  // This subquery reads only an index. The query below reads only the rows of the page.
  const pageIds = matching
    .select('id')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
  const deliveries: ListedDelivery[] = await db
    .selectFrom('webhook_deliveries')
    .select(listedColumns)
    .where('id', 'in', pageIds)
    .orderBy('id', 'desc')
    .execute()
  return { deliveries, pagination: toPagination({ page, limit }, total) }
}

/** Throws NOT_FOUND if the webhook has no such delivery. */
export async function getDelivery(db: Database | Tx, webhookId: number, id: number): Promise<DeliveryRow> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** Like `getDelivery`, but without the bodies if they are about an event that is not for the caller. */
export async function getDeliveryFor(
  { db }: PlatformContext,
  { user }: AccountCaller,
  { webhookId, id }: { webhookId: number; id: number },
): Promise<DeliveryRow> {
  const row = await getDelivery(db, webhookId, id)
  const shown = await db
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', webhookId)
    .where(showsBodyTo(user.id, row.event_id))
    .executeTakeFirst()
  return shown ? row : { ...row, templated_body: '', response_body: null }
}
