import { invalidField } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { AccessContext } from './access.ts'
import type { User } from './account-rows.ts'
import { attempt } from './limits/delay-attempts.ts'
import { accountKeys } from './limits/limit-keys.ts'
import { rateLimited } from './limits/rate-limits.ts'
import { tryPassword } from './limits/sign-in-lock.ts'
import { findTimeStep } from './second-factor/one-time-codes.ts'
import { consumeRecoveryCode } from './second-factor/recovery-codes.ts'
import { decryptSecret, findConfirmedFactor, type SecondFactor } from './second-factor/second-factor-rows.ts'

/** Replaces the IP address in the count of failures, for users who are already signed in. */
const signedInKey = 'change-password'

/** Throws INVALID_CREDENTIALS or ACCOUNT_LOCKED. */
export const assertPassword = (ctx: AccessContext, user: User, password: string): Promise<void> =>
  tryPassword(ctx, {
    accounts: accountKeys(user),
    address: signedInKey,
    isCorrect: () => ctx.passwords.isCorrect(user.password_hash, password),
  })

/**
 * Accepts the password or a code of the second factor. Throws VALIDATION_ERROR if neither can be checked, and what
 * `assertPassword` and `assertCode` throw.
 */
export async function assertPasswordOrCode(
  ctx: AccessContext,
  user: User,
  { password, code }: { password?: string; code?: string },
): Promise<void> {
  if (password !== undefined) return assertPassword(ctx, user, password)
  const factor = await findConfirmedFactor(ctx.db, user.id)
  if (code === undefined || !factor) throw invalidField('password', 'is required, or a code')
  await assertOwnCode(ctx, user, factor, code)
}

export const assertOwnCode = (ctx: AccessContext, user: User, factor: SecondFactor, code: string): Promise<void> =>
  assertCode(ctx, user, factor, { code, address: signedInKey })

/**
 * Accepts a code of the authenticator or a recovery code, each once. Throws INVALID_CREDENTIALS, ACCOUNT_LOCKED, or
 * RATE_LIMITED after 20 failures per hour from all addresses together.
 */
export function assertCode(
  ctx: AccessContext,
  user: User,
  factor: SecondFactor,
  { code, address }: { code: string; address: string },
): Promise<void> {
  const failures = ctx.access.limits.codeFailures(String(user.id))
  return ctx.access.inTurn(failures.name, async () => {
    const retryAfterSeconds = await failures.wait()
    if (retryAfterSeconds !== null) throw rateLimited(retryAfterSeconds, 'Too many incorrect codes. Try again later.')
    const isCorrect = () => isValidCode(ctx, factor, code)
    const input = { accounts: accountKeys(user), address, isCorrect, text: 'The code is incorrect.' }
    await attempt(failures, () => tryPassword(ctx, input))
  })
}

async function isValidCode(ctx: PlatformContext, factor: SecondFactor, code: string): Promise<boolean> {
  const plain = code.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(plain) ? consumeTimeCode(ctx, factor, plain) : consumeRecoveryCode(ctx, factor.user_id, plain)
}

/** A valid code works once. It invalidates the codes of earlier time steps. */
async function consumeTimeCode(ctx: PlatformContext, factor: SecondFactor, code: string): Promise<boolean> {
  const step = findTimeStep(decryptSecret(ctx, factor), code, ctx.clock.now())
  if (step === null) return false
  const { numUpdatedRows } = await ctx.db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', factor.user_id)
    .where('created_at', '=', factor.created_at)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
