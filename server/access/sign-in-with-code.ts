import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import { findUser, type User } from './account-rows.ts'
import { assertCode } from './assert-credentials.ts'
import { findConfirmedFactor, type SecondFactor } from './second-factor-rows.ts'
import { completeSignIn } from './sign-in-admin.ts'
import { attemptPassword } from './sign-in-attempts.ts'
import type { SignedIn } from './start-session.ts'

type AccessContext = PlatformContext & { access: Access }
type SecondStep = { mfaToken: string; code: string; address: string }

/**
 * Uses up the token. Throws INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED, OWNER_INACTIVE, INVALID_CREDENTIALS,
 * RATE_LIMITED or ACCOUNT_LOCKED.
 */
export function signInWithCode(ctx: AccessContext, { mfaToken, code, address }: SecondStep): Promise<SignedIn> {
  const failures = ctx.access.limits.accountFailures(address)
  return attemptPassword(ctx.access, failures, async () => {
    const { user, factor } = await loadPendingSignIn(ctx, mfaToken)
    await assertCode(ctx, user, factor, { code, address })
    await ctx.access.endSessions([{ token: mfaToken, type: 'mfa' }])
    return completeSignIn(ctx, user)
  })
}

/** The token is invalid after a change of the password or the factor. */
async function loadPendingSignIn(ctx: AccessContext, mfaToken: string): Promise<{ user: User; factor: SecondFactor }> {
  const { sub, ver, fac } = await ctx.access.mfaToken(mfaToken)
  const user = await findUser(ctx.db, Number(sub))
  if (!user) throw new AppError('INVALID_TOKEN')
  if (user.is_active === 0) throw new AppError('OWNER_INACTIVE')
  const factor = await findConfirmedFactor(ctx.db, user.id)
  if (user.session_version !== ver || factor?.created_at !== fac) throw new AppError('TOKEN_REVOKED')
  return { user, factor }
}
