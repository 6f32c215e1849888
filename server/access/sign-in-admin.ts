import { AppError } from '../platform/errors/app-error.ts'
import type { AccessContext } from './access.ts'
import { findUser, findUserByLogin, type User, validateAccount } from './account-rows.ts'
import { type SignedIn, startSession } from './admin-sessions.ts'
import { assertCode } from './assert-credentials.ts'
import { attemptPassword } from './limits/delay-attempts.ts'
import { accountKey } from './limits/limit-keys.ts'
import { tryPassword } from './limits/sign-in-lock.ts'
import { findConfirmedFactor, type SecondFactor } from './second-factor/second-factor-rows.ts'
import { verifyRecaptcha } from './verify-recaptcha.ts'

type SignIn = { username: string; password: string; recaptchaToken: string | null; address: string }
/** The password was right; the user must still enter a code. */
type PendingSignIn = { mfaToken: string }

/**
 * Unknown user names take the same time and are locked in the same way as known ones. Throws RECAPTCHA_FAILED,
 * INVALID_CREDENTIALS, RATE_LIMITED, ACCOUNT_LOCKED, or UNAVAILABLE if the reCAPTCHA verifier fails.
 */
export function signInAdmin(ctx: AccessContext, input: SignIn): Promise<SignedIn | PendingSignIn> {
  const failures = ctx.access.limits.accountFailures(input.address)
  return attemptPassword(ctx.access, failures, async () => {
    await verifyRecaptcha(ctx, input.recaptchaToken)
    return checkSignIn(ctx, input)
  })
}

async function checkSignIn(ctx: AccessContext, { username, password, address }: SignIn) {
  const user = await findUserByLogin(ctx.db, username)
  const factor = user && (await findConfirmedFactor(ctx.db, user.id))
  const accounts = [accountKey(user, { login: username, address }, ctx.access.unknownKey)] as const
  const hash = user?.is_active === 1 ? user.password_hash : null
  const isCorrect = () => ctx.passwords.isCorrect(hash, password)
  await tryPassword(ctx, { accounts, address, isCorrect, hasSecondFactor: factor !== undefined })
  if (!user) throw new AppError('INVALID_CREDENTIALS')
  if (ctx.passwords.isForeign(user.password_hash)) await replaceHash(ctx, user, password)
  return factor ? { mfaToken: ctx.access.signMfaToken(user, factor.created_at) } : completeSignIn(ctx, user)
}

/** Sessions stay valid, and a password that is changed at the same time wins. */
async function replaceHash({ db, passwords, changes }: AccessContext, user: User, password: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: await passwords.hash(password) })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .execute()
  changes.notify('account', user.id)
}

async function completeSignIn(ctx: AccessContext, user: User): Promise<SignedIn> {
  await ctx.db.updateTable('users').set({ last_login_at: ctx.clock.now() }).where('id', '=', user.id).execute()
  return startSession(ctx, user)
}

type SecondStep = { mfaToken: string; code: string; address: string }

/**
 * Each `mfaToken` gives one sign-in; a wrong code does not use it up. Throws INVALID_TOKEN, TOKEN_EXPIRED,
 * TOKEN_REVOKED, OWNER_INACTIVE, INVALID_CREDENTIALS, RATE_LIMITED or ACCOUNT_LOCKED.
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

/** A change of the password or of the second factor makes the token invalid. */
async function loadPendingSignIn(ctx: AccessContext, mfaToken: string): Promise<{ user: User; factor: SecondFactor }> {
  const { sub, ver, fac } = await ctx.access.mfaToken(mfaToken)
  const user = validateAccount(await findUser(ctx.db, Number(sub)), ver)
  const factor = await findConfirmedFactor(ctx.db, user.id)
  if (factor?.created_at !== fac) throw new AppError('TOKEN_REVOKED')
  return { user, factor }
}
