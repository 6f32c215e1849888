import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { nameKey } from '../../access/account-rows.ts'
import type { CustomerTable } from '../../access/customers/customer-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'

type MovedCustomer = Omit<Insertable<CustomerTable>, 'id' | 'email_key' | 'session_version'>

/** Adds a customer of another installation. Returns the id, or null if a customer with this address exists. */
export async function insertMovedCustomer(tx: Tx, customer: MovedCustomer): Promise<number | null> {
  const inserted = await tx
    .insertInto('customers')
    .values({ ...customer, email_key: nameKey(customer.email), session_version: 1 })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

/** An assignment that exists here, also a withdrawn one, stays as it is. */
export async function assignMovedCustomer(
  tx: Tx,
  { customerId, eventId, assignedAt }: { customerId: number; eventId: number; assignedAt: number },
): Promise<void> {
  await tx
    .insertInto('customer_events')
    .values({
      customer_id: customerId,
      event_id: eventId,
      guest_id: randomUUID(),
      assigned_at: assignedAt,
      withdrawn_at: null,
    })
    .onConflict((conflict) => conflict.columns(['customer_id', 'event_id']).doNothing())
    .execute()
}
