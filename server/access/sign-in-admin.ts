import type { Backends } from '../platform/backends.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Access } from './access.ts'
import { findUserByLogin, type User } from './account-rows.ts'
import { isRightPassword } from './passwords.ts'
import { attemptPassword } from './sign-in-attempts.ts'
import { tryPassword } from './sign-in-lock.ts'

type SignIn = { username: string; password: string; address: string }

/**
 * Throws INVALID_CREDENTIALS, RATE_LIMITED or ACCOUNT_LOCKED; unknown names take as long and lock alike (decisions §8).
 */
export function signInAdmin(
  house: Backends & { access: Access },
  input: SignIn,
): Promise<{ token: string; user: User }> {
  const failures = house.access.limits.accountFailures(input.address)
  return attemptPassword(house.access, failures, () => checkSignIn(house, input))
}

async function checkSignIn(
  backends: Backends & { access: Access },
  { username, password, address }: SignIn,
): Promise<{ token: string; user: User }> {
  const user = await findUserByLogin(backends.db, username)
  // An account is counted once, whether it is called by its name or by its mail address.
  const account = user?.username ?? username
  const hash = user?.is_active === 1 ? user.password_hash : null
  await tryPassword(backends, { account, address, isRight: () => isRightPassword(hash, password) })
  if (!user) throw new Refusal('INVALID_CREDENTIALS')
  await backends.db
    .updateTable('users')
    .set({ last_login_at: backends.clock.now() })
    .where('id', '=', user.id)
    .execute()
  return { token: backends.access.signAdminSession(user), user }
}
