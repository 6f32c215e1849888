import type { AccountCaller } from '../access/callers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getOwnCustomer } from './customer-ownership.ts'

/** Also ends all sessions of the customer. The customer's feedback stays. */
export async function deleteCustomer(ctx: PlatformContext, caller: AccountCaller, id: number): Promise<void> {
  await getOwnCustomer(ctx, caller, id)
  await ctx.db.deleteFrom('customers').where('id', '=', id).execute()
  ctx.changes.notify('customer', id)
}
