import { invalidField } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import type { User } from './account-rows.ts'
import { stepOf } from './one-time-codes.ts'
import { rateLimited } from './rate-limits.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { findConfirmedFactor, openSecret, type SecondFactor } from './second-factor-rows.ts'
import { attempt } from './sign-in-attempts.ts'
import { tryPassword } from './sign-in-lock.ts'

type Guarded = PlatformContext & { access: Access }

/** The key for failures of users who are already signed in. */
const ownSession = 'change-password'

/** Throws INVALID_CREDENTIALS or ACCOUNT_LOCKED. */
export const provePassword = (ctx: Guarded, user: User, password: string): Promise<void> =>
  tryPassword(ctx, {
    account: user.username,
    address: ownSession,
    isRight: () => ctx.passwords.isRight(user.password_hash, password),
  })

/** Accepts the password or a code. Throws VALIDATION_ERROR without either, and what the two checks throw. */
export async function proveEither(
  ctx: Guarded,
  user: User,
  { password, code }: { password?: string; code?: string },
): Promise<void> {
  if (password !== undefined) return provePassword(ctx, user, password)
  const factor = await findConfirmedFactor(ctx.db, user.id)
  if (code === undefined || !factor) throw invalidField('password', 'is required, or a code')
  await proveOwnCode(ctx, user, factor, code)
}

/** Throws what `assertCode` throws. */
export const proveOwnCode = (ctx: Guarded, user: User, factor: SecondFactor, code: string): Promise<void> =>
  proveCode(ctx, user, factor, { code, address: ownSession })

/**
 * Accepts a code of the authenticator or a recovery code, each once. Failures lock the account for the address as wrong
 * passwords do. Throws INVALID_CREDENTIALS, ACCOUNT_LOCKED, or RATE_LIMITED after 20 failures per hour from all
 * addresses.
 */
export function proveCode(
  ctx: Guarded,
  user: User,
  factor: SecondFactor,
  { code, address }: { code: string; address: string },
): Promise<void> {
  const failures = ctx.access.limits.codeFailures(String(user.id))
  return ctx.access.inTurn(failures.name, async () => {
    const retryAfterSeconds = await failures.wait()
    if (retryAfterSeconds !== null) throw rateLimited(retryAfterSeconds, 'Too many wrong codes. Try again later.')
    const isRight = () => isRightCode(ctx, factor, code)
    const input = { account: user.username, address, isRight, text: 'The code is not right.' }
    await attempt(failures, () => tryPassword(ctx, input))
  })
}

async function isRightCode(ctx: PlatformContext, factor: SecondFactor, code: string): Promise<boolean> {
  const plain = code.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(plain) ? takeTimeCode(ctx, factor, plain) : takeRecoveryCode(ctx, factor.user_id, plain)
}

/** Invalidates the code and all earlier ones. */
async function takeTimeCode(ctx: PlatformContext, factor: SecondFactor, code: string): Promise<boolean> {
  const step = stepOf(openSecret(ctx, factor), code, ctx.clock.now())
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
