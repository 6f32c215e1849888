import { AppError, invalidField } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import { findUser, type User } from './account-rows.ts'
import { setPassword } from './accounts.ts'
import { assertPassword } from './assert-credentials.ts'
import { type SignedIn, startSession } from './start-session.ts'

type Change = { currentPassword: string; newPassword: string }

/** Ends all older sessions and returns a new one. Throws INVALID_CREDENTIALS for a wrong current password. */
export async function changePassword(
  ctx: PlatformContext & { access: Access },
  user: User,
  { currentPassword, newPassword }: Change,
): Promise<SignedIn> {
  await assertPassword(ctx, user, currentPassword)
  if (newPassword === currentPassword) throw invalidField('newPassword', 'must be another one than before')
  await setPassword(ctx, user, newPassword, { mustChangePassword: false })

  const changed = await findUser(ctx.db, user.id)
  if (!changed) throw new AppError('INVALID_TOKEN')
  return startSession(ctx, changed)
}
