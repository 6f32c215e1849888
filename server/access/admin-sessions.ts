import { AppError, invalidField } from '../platform/errors/app-error.ts'
import type { AccessContext } from './access.ts'
import { findUser, type User, validateAccount } from './account-rows.ts'
import { setPassword } from './accounts.ts'
import { assertPassword } from './assert-credentials.ts'
import { endFamily, type RefreshFamily, replaceToken, startFamily } from './refresh-families.ts'

export type SignedIn = { token: string; refreshToken: string; user: User }

export const startSession = async (ctx: AccessContext, user: User): Promise<SignedIn> =>
  signSession(ctx, await startFamily(ctx, user), user)

const signSession = ({ access }: AccessContext, family: RefreshFamily, user: User): SignedIn => ({
  token: access.signAdminSession(family),
  refreshToken: access.signRefreshToken(family),
  user,
})

/**
 * Each refresh token can be used once. A second use ends the session, except one repeat within 30 seconds while the
 * token that replaced it is unused.
 * Throws INVALID_TOKEN, TOKEN_EXPIRED, OWNER_INACTIVE or TOKEN_REVOKED.
 */
export async function refreshSession(ctx: AccessContext, token: string): Promise<SignedIn> {
  const { access, db, changes, log } = ctx
  const { sub, ver, fam, seq } = access.refreshToken(token)
  const user = validateAccount(await findUser(db, Number(sub)), ver)
  const family = await replaceToken(ctx, { id: fam, sequence: seq })
  if (family) return signSession(ctx, family, user)
  if (await endFamily(db, fam)) {
    changes.notify('session', null)
    log.warn({ userId: user.id }, 'A refresh token was reused; its session was revoked')
  }
  throw new AppError('TOKEN_REVOKED')
}

/**
 * Ends all older sessions and returns a new one. Throws INVALID_CREDENTIALS, ACCOUNT_LOCKED, VALIDATION_ERROR,
 * TOKEN_REVOKED or INVALID_TOKEN.
 */
export async function changePassword(
  ctx: AccessContext,
  user: User,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<SignedIn> {
  await assertPassword(ctx, user, currentPassword)
  if (newPassword === currentPassword) throw invalidField('newPassword', 'must differ from the current password')
  await setPassword(ctx, user, newPassword, { mustChangePassword: false })

  const changed = await findUser(ctx.db, user.id)
  if (!changed) throw new AppError('INVALID_TOKEN')
  return startSession(ctx, changed)
}
