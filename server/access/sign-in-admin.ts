import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import { findUserByLogin, type User } from './account-rows.ts'
import { findConfirmedFactor } from './second-factor-rows.ts'
import { attemptPassword } from './sign-in-attempts.ts'
import { tryPassword } from './sign-in-lock.ts'
import { type SignedIn, startSession } from './start-session.ts'
import { verifyRecaptcha } from './verify-recaptcha.ts'

type AccessContext = PlatformContext & { access: Access }
type SignIn = { username: string; password: string; recaptchaToken: string | null; address: string }
/** The password was right; the user must still enter a code. */
type PendingSignIn = { mfaToken: string }

/**
 * Unknown names take as long and lock like known ones. Throws RECAPTCHA_FAILED, INVALID_CREDENTIALS, RATE_LIMITED,
 * ACCOUNT_LOCKED, or UNAVAILABLE if the reCAPTCHA verifier fails.
 */
export function signInAdmin(ctx: AccessContext, input: SignIn): Promise<SignedIn | PendingSignIn> {
  const failures = ctx.access.limits.accountFailures(input.address)
  return attemptPassword(ctx.access, failures, async () => {
    await verifyRecaptcha(ctx, input.recaptchaToken)
    return checkSignIn(ctx, input)
  })
}

async function checkSignIn(
  ctx: AccessContext,
  { username, password, address }: SignIn,
): Promise<SignedIn | PendingSignIn> {
  const user = await findUserByLogin(ctx.db, username)
  const factor = user && (await findConfirmedFactor(ctx.db, user.id))
  // User name and mail address count as the same account.
  const account = user?.username ?? username
  const hash = user?.is_active === 1 ? user.password_hash : null
  const isCorrect = () => ctx.passwords.isCorrect(hash, password)
  await tryPassword(ctx, { account, address, isCorrect, hasSecondFactor: factor !== undefined })
  if (!user) throw new AppError('INVALID_CREDENTIALS')
  return factor ? { mfaToken: ctx.access.signMfaToken(user, factor.created_at) } : completeSignIn(ctx, user)
}

export async function completeSignIn(ctx: AccessContext, user: User): Promise<SignedIn> {
  await ctx.db.updateTable('users').set({ last_login_at: ctx.clock.now() }).where('id', '=', user.id).execute()
  return startSession(ctx, user)
}
