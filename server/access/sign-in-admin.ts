import type { Backends } from '../platform/backends.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Access } from './access.ts'
import { findUserByLogin, type User } from './account-rows.ts'
import { findConfirmedFactor } from './second-factor-rows.ts'
import { attemptPassword } from './sign-in-attempts.ts'
import { tryPassword } from './sign-in-lock.ts'
import { type SignedIn, startSession } from './start-session.ts'
import { verifyRecaptcha } from './verify-recaptcha.ts'

type Guarded = Backends & { access: Access }
type SignIn = { username: string; password: string; recaptchaToken: string | null; address: string }
/** Of an account with a second factor: the password was right, and a code is wanted. */
type HalfSignedIn = { mfaToken: string }

/**
 * Throws RECAPTCHA_FAILED, INVALID_CREDENTIALS, RATE_LIMITED or ACCOUNT_LOCKED, and UNAVAILABLE where nobody can tell
 * people from programs just now. Unknown names take as long and lock alike (decisions §8).
 */
export function signInAdmin(house: Guarded, input: SignIn): Promise<SignedIn | HalfSignedIn> {
  const failures = house.access.limits.accountFailures(input.address)
  return attemptPassword(house.access, failures, async () => {
    await verifyRecaptcha(house, input.recaptchaToken)
    return checkSignIn(house, input)
  })
}

async function checkSignIn(house: Guarded, { username, password, address }: SignIn): Promise<SignedIn | HalfSignedIn> {
  const user = await findUserByLogin(house.db, username)
  const factor = user && (await findConfirmedFactor(house.db, user.id))
  // An account is counted once, whether it is called by its name or by its mail address.
  const account = user?.username ?? username
  const hash = user?.is_active === 1 ? user.password_hash : null
  const isRight = () => house.passwords.isRight(hash, password)
  await tryPassword(house, { account, address, isRight, isFirstOfTwo: factor !== undefined })
  if (!user) throw new Refusal('INVALID_CREDENTIALS')
  return factor ? { mfaToken: house.access.signMfaToken(user, factor.created_at) } : completeSignIn(house, user)
}

/** For who has given all that is asked. */
export async function completeSignIn(house: Guarded, user: User): Promise<SignedIn> {
  await house.db.updateTable('users').set({ last_login_at: house.clock.now() }).where('id', '=', user.id).execute()
  return startSession(house, user)
}
