import type { AccountCaller } from '../access/callers.ts'
import { ownedEventIds } from '../events/event-ownership.ts'
import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { CustomerRow } from './customer-rows.ts'

/** Customers that the operator created, or that are assigned to an event of the operator. A super_admin sees all. */
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

/** Throws NOT_FOUND. FORBIDDEN would reveal how many customers others have, because ids are sequential. */
export async function getVisibleCustomer(
  { db }: PlatformContext,
  caller: AccountCaller,
  id: number,
): Promise<CustomerRow> {
  const customer = await visibleCustomers(db, caller)
    .selectAll('customers')
    .where('customers.id', '=', id)
    .executeTakeFirst()
  if (!customer) throw new AppError('NOT_FOUND')
  return customer
}

/**
 * Only creators and super_admins change customers: a new password would open galleries that others have assigned.
 * Throws NOT_FOUND and FORBIDDEN.
 */
export async function getOwnCustomer(ctx: PlatformContext, caller: AccountCaller, id: number): Promise<CustomerRow> {
  const customer = await getVisibleCustomer(ctx, caller, id)
  const isOwn = caller.user.role === 'super_admin' || customer.created_by === caller.user.id
  if (!isOwn) throw new AppError('FORBIDDEN', { text: 'This customer belongs to another operator.' })
  return customer
}
