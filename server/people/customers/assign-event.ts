import { randomUUID } from 'node:crypto'
import type { AccountCaller } from '../../access/callers.ts'
import type { CustomerRow } from '../../access/customers/customer-rows.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getVisibleCustomer } from './customer-ownership.ts'

type CustomerEvent = { customerId: number; eventId: number }

/**
 * Idempotent. A new assignment after a withdrawal has the same guest id. Throws NOT_FOUND, FORBIDDEN or EVENT_ARCHIVED.
 */
export async function assignEvent(ctx: PlatformContext, caller: AccountCaller, { customerId, eventId }: CustomerEvent) {
  const { db, clock, changes } = ctx
  const event = await getOwnedEvent(ctx, caller, eventId)
  assertNotArchived(event)
  const customer = await getVisibleCustomer(ctx, caller, customerId)
  await db
    .insertInto('customer_events')
    .values({
      customer_id: customer.id,
      event_id: event.id,
      guest_id: randomUUID(),
      assigned_at: clock.now(),
      withdrawn_at: null,
    })
    .onConflict((conflict) => conflict.columns(['customer_id', 'event_id']).doUpdateSet({ withdrawn_at: null }))
    .execute()
  changes.notify('customer', customer.id)
  return customer
}

/** Idempotent. The customer then has no access to the gallery. Throws NOT_FOUND or FORBIDDEN. */
export async function withdrawEvent(
  ctx: PlatformContext,
  caller: AccountCaller,
  { customerId, eventId }: CustomerEvent,
): Promise<CustomerRow> {
  const { db, clock, changes } = ctx
  const event = await getOwnedEvent(ctx, caller, eventId)
  const customer = await getVisibleCustomer(ctx, caller, customerId)
  await db
    .updateTable('customer_events')
    .set({ withdrawn_at: clock.now() })
    .where('customer_id', '=', customer.id)
    .where('event_id', '=', event.id)
    .where('withdrawn_at', 'is', null)
    .execute()
  changes.notify('customer', customer.id)
  return customer
}
