import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import { findUser } from './account-rows.ts'
import { endFamily, replaceToken } from './refresh-families.ts'
import type { SignedIn } from './start-session.ts'

/**
 * A token that is used again too late was copied, so its whole sign-in ends. Throws INVALID_TOKEN, TOKEN_EXPIRED,
 * OWNER_INACTIVE or TOKEN_REVOKED.
 */
export async function refreshSession(ctx: PlatformContext & { access: Access }, token: string): Promise<SignedIn> {
  const { access, db } = ctx
  const { sub, ver, fam, seq } = access.refreshToken(token)
  const user = await findUser(db, Number(sub))
  if (!user) throw new AppError('INVALID_TOKEN')
  if (user.is_active === 0) throw new AppError('OWNER_INACTIVE')
  if (user.session_version !== ver) throw new AppError('TOKEN_REVOKED')
  const family = await replaceToken(ctx, { id: fam, sequence: seq })
  if (!family) {
    await endCopied(ctx, fam, user.id)
    throw new AppError('TOKEN_REVOKED')
  }
  return { token: access.signAdminSession(family), refreshToken: access.signRefreshToken(family), user }
}

async function endCopied({ db, changes, log }: PlatformContext, family: string, userId: number): Promise<void> {
  if (!(await endFamily(db, family))) return
  changes.notify('session', null)
  log.warn({ userId }, 'A refresh token was used again: the sign-in it belongs to has been ended')
}
