import type { Generated, Selectable } from 'kysely'
import { byKey } from '../../platform/database/short-read.ts'
import type { Database, Flag } from '../../platform/database/tables.ts'
import { nameKey } from '../account-rows.ts'

export type CustomerTable = {
  id: Generated<number>
  name: string
  email: string
  /** The `nameKey` of the address, because addresses are compared without case. */
  email_key: string
  password_hash: string | null
  is_active: Flag
  /** Stored in every session token. A new number ends all older sessions. */
  session_version: number
  created_at: number
  updated_at: number
  last_login_at: number | null
  created_by: number | null
}

export type CustomerEventTable = {
  customer_id: number
  event_id: number
  /** The guest id of the customer's feedback in this event. */
  guest_id: string
  assigned_at: number
  withdrawn_at: number | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    customers: CustomerTable
    customer_events: CustomerEventTable
  }
}

export type CustomerRow = Selectable<CustomerTable>

/** An assignment that is not withdrawn, with the columns that a session is checked against. */
export type Assignment = Pick<CustomerRow, 'is_active' | 'session_version'> & { guest_id: string }

export const findCustomer = (db: Database, id: number): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').selectAll().where('id', '=', id).modifyEnd(byKey).executeTakeFirst()

export const findCustomerByEmail = (db: Database, email: string): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').selectAll().where('email_key', '=', nameKey(email)).executeTakeFirst()

export const findAssignment = (db: Database, customerId: number, eventId: number): Promise<Assignment | undefined> =>
  db
    .selectFrom('customer_events')
    .innerJoin('customers', 'customers.id', 'customer_events.customer_id')
    .select(['customer_events.guest_id', 'customers.is_active', 'customers.session_version'])
    .where('customer_events.customer_id', '=', customerId)
    .where('customer_events.event_id', '=', eventId)
    .where('customer_events.withdrawn_at', 'is', null)
    .modifyEnd(byKey)
    .executeTakeFirst()

/** Returns the customer whose feedback in an event has this guest id, even if the assignment is withdrawn. */
export const findCustomerOfGuest = (db: Database, eventId: number, guestId: string): Promise<CustomerRow | undefined> =>
  db
    .selectFrom('customer_events')
    .innerJoin('customers', 'customers.id', 'customer_events.customer_id')
    .selectAll('customers')
    .where('customer_events.event_id', '=', eventId)
    .where('customer_events.guest_id', '=', guestId)
    .executeTakeFirst()
