import type { ChangeUserBody } from '../../contract/people.ts'
import type { User } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import { changeAccount, lockAccounts } from '../access/change-account.ts'
import { removeSecondFactor } from '../access/second-factor/second-factor-rows.ts'
import { flag } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { endUnownedDeliveries } from '../webhooks/token-webhooks.ts'
import { deleteInvite } from './invite-rows.ts'
import { assertNotLastSuperAdmin, assertNotOwnAccount, getUser } from './user-rules.ts'

/** A deactivation also suspends API tokens. Throws NOT_FOUND, USER_EXISTS, OWN_ACCOUNT or LAST_SUPER_ADMIN. */
export async function changeUser(
  { db, clock, changes }: PlatformContext,
  caller: AccountCaller,
  userId: number,
  { username, email, role, is_active: isActive }: ChangeUserBody,
): Promise<User> {
  if (isActive === false) assertNotOwnAccount(caller, userId)
  const changed = await inTransaction(db, 'everything', async (tx) => {
    await lockAccounts(tx)
    const before = await getUser(tx, userId)
    const isDemoted = role !== undefined && role !== 'super_admin'
    if (isDemoted || isActive === false) await assertNotLastSuperAdmin(tx, before)
    // The invitation was mailed to the old address, so it becomes invalid.
    if (email !== undefined && email !== before.email) await deleteInvite(tx, userId)
    const columns = {
      ...(username !== undefined && { username }),
      ...(email !== undefined && { email }),
      ...(role !== undefined && { role }),
      ...(isActive !== undefined && { is_active: flag(isActive) }),
    }
    const endsSessions = isActive === false && before.is_active === 1
    const after = await changeAccount(tx, userId, columns, { endsSessions })
    if (isDemoted) await endUnownedDeliveries(tx, clock.now())
    return after
  })
  changes.notify('account', userId)
  return changed
}

/** Idempotent. Throws NOT_FOUND, OWN_ACCOUNT or LAST_SUPER_ADMIN. */
export const deactivateUser = (ctx: PlatformContext, caller: AccountCaller, userId: number): Promise<User> =>
  changeUser(ctx, caller, userId, { is_active: false })

/**
 * Idempotent. Operators remove their own second factor by `access/second-factor-api.ts`. Throws NOT_FOUND or
 * OWN_ACCOUNT.
 */
export async function removeUserSecondFactor(ctx: PlatformContext, caller: AccountCaller, userId: number) {
  assertNotOwnAccount(caller, userId)
  const user = await getUser(ctx.db, userId)
  await removeSecondFactor(ctx, userId)
  return user
}
