import type { AccountCaller } from '../../access/callers.ts'
import type { CustomerRow } from '../../access/customers/customer-rows.ts'
import { ownedEventIds } from '../../events/event-ownership.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'

/**
 * Selects customers that the operator created, or that are assigned to an event that the operator owns or is a member
 * of. A super_admin sees all.
 */
export function visibleCustomers(db: Database, { user }: AccountCaller) {
  const customers = db.selectFrom('customers')
  if (user.role === 'super_admin') return customers
  return customers.where((where) =>
    where.or([
      where('customers.created_by', '=', user.id),
      where(
        'customers.id',
        'in',
        where
          .selectFrom('customer_events')
          .select('customer_events.customer_id')
          .where('customer_events.withdrawn_at', 'is', null)
          .where('customer_events.event_id', 'in', ownedEventIds(db, user)),
      ),
    ]),
  )
}

/**
 * Throws NOT_FOUND, also for a customer whom the operator may not see: ids are sequential, so FORBIDDEN would reveal
 * how many customers exist.
 */
export async function getVisibleCustomer({ db }: PlatformContext, caller: AccountCaller, id: number) {
  const customer = await visibleCustomers(db, caller)
    .selectAll('customers')
    .where('customers.id', '=', id)
    .executeTakeFirst()
  if (!customer) throw new AppError('NOT_FOUND')
  return customer
}

/**
 * Throws NOT_FOUND, or FORBIDDEN if the caller did not create the customer and is not a super_admin. A caller who could
 * change every visible customer could set a new password and enter galleries of other operators.
 */
export async function getOwnCustomer(ctx: PlatformContext, caller: AccountCaller, id: number): Promise<CustomerRow> {
  const customer = await getVisibleCustomer(ctx, caller, id)
  const isOwn = caller.user.role === 'super_admin' || customer.created_by === caller.user.id
  if (!isOwn) throw new AppError('FORBIDDEN', { text: 'This customer belongs to another operator.' })
  return customer
}

/** Returns the number of transferred customers. Their assignments stay. */
export async function transferCustomers(
  { clock }: PlatformContext,
  tx: Tx,
  { fromId, toId }: { fromId: number; toId: number },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('customers')
    .set({ created_by: toId, updated_at: clock.now() })
    .where('created_by', '=', fromId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
