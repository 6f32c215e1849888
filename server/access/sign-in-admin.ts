import type { Backends } from '../platform/backends.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Access } from './access.ts'
import { findUserByLogin, type User } from './account-rows.ts'
import { isRightPassword } from './passwords.ts'
import { countAttempt, forgetFailures } from './sign-in-lock.ts'

type SignIn = { username: string; password: string; address: string }

/** Throws INVALID_CREDENTIALS or ACCOUNT_LOCKED; unknown names take as long and lock alike (decisions §8). */
export async function signInAdmin(
  backends: Backends & { access: Access },
  { username, password, address }: SignIn,
): Promise<{ token: string; user: User }> {
  await countAttempt(backends, username, address)
  const user = await findUserByLogin(backends.db, username)
  const isRight = await isRightPassword(user?.password_hash ?? null, password)
  if (!user || !isRight || user.is_active === 0) throw new Refusal('INVALID_CREDENTIALS')

  await forgetFailures(backends, username, address)
  await backends.db
    .updateTable('users')
    .set({ last_login_at: backends.clock.now() })
    .where('id', '=', user.id)
    .execute()
  return { token: backends.access.signAdminSession(user), user }
}
