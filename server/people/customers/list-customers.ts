import { must } from '../../../contract/must.ts'
import type { AccountCaller } from '../../access/callers.ts'
import type { CustomerRow } from '../../access/customers/customer-rows.ts'
import { ownedEventIds } from '../../events/event-ownership.ts'
import { presentEvents } from '../../events/event-rows.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'
import { visibleCustomers } from './customer-ownership.ts'

export async function listCustomers(
  ctx: PlatformContext,
  caller: AccountCaller,
  { page, limit }: { page: number; limit: number },
) {
  const visible = visibleCustomers(ctx.db, caller)
  const { total } = await visible.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await visible
    .selectAll('customers')
    .orderBy('customers.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return {
    customers: await customerRecords(ctx, caller, rows),
    pagination: toPagination({ page, limit }, total),
  }
}

export async function customerRecord(ctx: PlatformContext, caller: AccountCaller, customer: CustomerRow) {
  const [record] = await customerRecords(ctx, caller, [customer])
  return must(record, 'the record of a customer')
}

/** Each record contains only those assigned events that the caller owns. */
async function customerRecords({ db }: PlatformContext, { user }: AccountCaller, customers: readonly CustomerRow[]) {
  if (customers.length === 0) return []
  const ids = customers.map(({ id }) => id)
  const assigned = await db
    .selectFrom('customer_events')
    .innerJoin(presentEvents(db), 'events.id', 'customer_events.event_id')
    .select(['customer_events.customer_id', 'events.id', 'events.slug', 'events.event_name'])
    .where('customer_events.customer_id', 'in', ids)
    .where('customer_events.withdrawn_at', 'is', null)
    .where('events.id', 'in', ownedEventIds(db, user))
    .orderBy('events.id')
    .execute()
  return customers.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    is_active: row.is_active === 1,
    has_password: row.password_hash !== null,
    events: assigned
      .filter(({ customer_id }) => customer_id === row.id)
      .map(({ id, slug, event_name }) => ({ id, slug, event_name })),
    created_at: isoTime(row.created_at),
    last_login_at: isoTimeOrNull(row.last_login_at),
  }))
}
