import { findUser, type User } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import { removeSecondFactor } from '../access/remove-second-factor.ts'
import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { assertNotOwnAccount } from './user-rules.ts'

/** Idempotent. Callers remove their own second factor with a code instead. Throws NOT_FOUND and OWN_ACCOUNT. */
export async function removeUserSecondFactor(
  ctx: PlatformContext,
  caller: AccountCaller,
  userId: number,
): Promise<User> {
  assertNotOwnAccount(caller, userId)
  const user = await findUser(ctx.db, userId)
  if (!user) throw new AppError('NOT_FOUND')
  await removeSecondFactor(ctx, userId)
  return user
}
