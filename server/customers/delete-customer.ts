import type { AccountCaller } from '../access/callers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getOwnCustomer } from './customer-ownership.ts'

/** Ends every session with the account. What the customer has marked stays, as any guest's does. */
export async function deleteCustomer(ctx: PlatformContext, caller: AccountCaller, id: number): Promise<void> {
  await getOwnCustomer(ctx, caller, id)
  await ctx.db.deleteFrom('customers').where('id', '=', id).execute()
  ctx.changes.tell('customer', id)
}
