import type { Backends } from '../platform/backends.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Access } from './access.ts'
import { findUser, type User } from './account-rows.ts'
import { setPassword } from './accounts.ts'
import { isRightPassword } from './passwords.ts'
import { countAttempt, forgetFailures } from './sign-in-lock.ts'

type Change = { currentPassword: string; newPassword: string }

/** Ends all older sessions and answers a new one. Throws INVALID_CREDENTIALS for a wrong current password. */
export async function changePassword(
  house: Backends & { access: Access },
  user: User,
  { currentPassword, newPassword }: Change,
): Promise<{ token: string; user: User }> {
  await countAttempt(house, user.username, 'change-password')
  if (!(await isRightPassword(user.password_hash, currentPassword))) throw new Refusal('INVALID_CREDENTIALS')
  await forgetFailures(house, user.username, 'change-password')
  await setPassword(house, user, newPassword, { mustChangePassword: false })

  const changed = await findUser(house.db, user.id)
  if (!changed) throw new Refusal('INVALID_TOKEN')
  return { token: house.access.signAdminSession(changed), user: changed }
}
