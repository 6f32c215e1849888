import type { AccountCaller } from '../access/callers.ts'
import { ownedEvents } from '../events/event-ownership.ts'
import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { CustomerRow } from './customer-rows.ts'

/**
 * The customers that an operator sees: those whom the operator made, and those who are assigned to one of the operator's
 * events. A super_admin sees all.
 */
export function seenCustomers(db: Database, { user }: AccountCaller) {
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
          .where('customer_events.event_id', 'in', ownedEvents(db, user)),
      ),
    ]),
  )
}

/** Throws NOT_FOUND for whom the caller does not see: ids are counted, and should not tell how many customers others have. */
export async function getSeenCustomer(
  { db }: PlatformContext,
  caller: AccountCaller,
  id: number,
): Promise<CustomerRow> {
  const customer = await seenCustomers(db, caller)
    .selectAll('customers')
    .where('customers.id', '=', id)
    .executeTakeFirst()
  if (!customer) throw new AppError('NOT_FOUND')
  return customer
}

/**
 * The account itself is changed by whoever made it, and by a super_admin: a new password would open the galleries that
 * others have assigned. Throws NOT_FOUND and FORBIDDEN.
 */
export async function getOwnCustomer(ctx: PlatformContext, caller: AccountCaller, id: number): Promise<CustomerRow> {
  const customer = await getSeenCustomer(ctx, caller, id)
  const isOwn = caller.user.role === 'super_admin' || customer.created_by === caller.user.id
  if (!isOwn) throw new AppError('FORBIDDEN', { text: 'This customer belongs to another operator.' })
  return customer
}
