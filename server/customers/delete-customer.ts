import type { AccountCaller } from '../access/callers.ts'
import type { Backends } from '../platform/backends.ts'
import { getOwnCustomer } from './customer-ownership.ts'

/** Ends every session with the account. What the customer has marked stays, as any guest's does. */
export async function deleteCustomer(backends: Backends, caller: AccountCaller, id: number): Promise<void> {
  await getOwnCustomer(backends, caller, id)
  await backends.db.deleteFrom('customers').where('id', '=', id).execute()
  backends.changes.tell('customer', id)
}
